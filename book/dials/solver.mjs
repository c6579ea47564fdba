// Exact solution of a closed network of one class, in step with qmodel to the last bit:
// the same additions, multiplications and divisions in the same order.
// model = { population, delay, demands: [s], rates: [null | speeds with 1, 2 ... customers] }

const NEGLIGIBLE = -39;
const SHIFT = 500;

/** Throughput, then the residence time at each station. */
export function solve(model) {
  const { population, delay, demands, rates } = model;
  if (!population) return [0, ...demands.map(() => 0)];
  if (!demands.length) return [population / delay];
  return saturated(model)
    ?? (rates.every((r) => r === null) ? meanValueAnalysis(model) : convolve(model));
}

/** A multi-server station's speeds. */
export const servers = (m) => (m === 1 ? null : Array.from({ length: m }, (_, j) => j + 1));

/** Throughput with 1, 2 ... customers, for curves: one convolution instead of many solutions. */
export function throughputs(model) {
  const { population: n, delay, demands, rates } = model;
  const unit = timeUnit(model);
  let series = products(Array.from({ length: n }, (_, j) => delay / unit / (j + 1)));
  demands.forEach((d, k) => {
    if (rates[k] === null) series = geometric(series, d / unit);
    else {
      const [, head, ratio] = factor(k, d / unit, rates[k], n);
      series = product(series, head, ratio);
    }
  });
  return series.slice(1).map((here, i) => series[i] / here / unit);
}

function meanValueAnalysis({ population, delay, demands }) {
  const queue = demands.map(() => 0);
  let residence = [];
  let throughput = 0;
  for (let n = 1; n <= population; n++) {
    residence = demands.map((d, k) => d * (1 + queue[k]));
    let total = delay;
    for (const r of residence) total += r;
    throughput = n / total;
    residence.forEach((r, k) => { queue[k] = throughput * r; });
  }
  return [throughput, ...residence];
}

function saturated({ population, delay, demands, rates }) {
  let slowest = 0, second = 0, bottleneck = -1;
  demands.forEach((demand, k) => {
    const time = rates[k] === null ? demand : demand / rates[k].at(-1);
    if (time > slowest) [slowest, second, bottleneck] = [time, slowest, k];
    else if (time > second) second = time;
  });
  if (second >= slowest || delay / slowest + second / (slowest - second) >= population) return null;
  const radius = radiusOf(population, delay / slowest, second / slowest);
  if (radius <= 1) return null;
  let distance = (delay / slowest) * (radius - 1) - population * Math.log(radius) - Math.log(radius - 1);
  let moment = 0;
  const residence = [];
  for (let k = 0; k < demands.length; k++) {
    const ratio = demands[k] / slowest;
    if (k === bottleneck) {
      residence.push(0);
      if (rates[k] !== null) {
        const growth = bottleneckGrowth(ratio, rates[k], radius);
        if (growth === null) return null;
        distance += growth;
      }
    } else if (rates[k] === null) {
      const growth = Math.log((1 - ratio) / (1 - ratio * radius));
      distance += growth;
      moment = Math.max(moment, growth);
      residence.push(demands[k] / ((slowest - demands[k]) / slowest));
    } else {
      const found = severalSpeeds(ratio, rates[k], radius);
      if (found === null) return null;
      distance += found[1];
      moment = Math.max(moment, found[2] - found[1]);
      residence.push(found[0] * slowest);
    }
  }
  if (distance + moment + Math.log(radius) > NEGLIGIBLE) return null;
  let rest = population * slowest - delay;
  for (const time of residence) rest -= time;
  residence[bottleneck] = rest;
  return [1 / slowest, ...residence];
}

function radiusOf(population, delay, second) {
  if (second === 0) return delay ? population / delay : 2 + population;
  const a = delay / second;
  const b = a + 1 + population;
  return (2 * population) / (b + Math.sqrt(b * b - 4 * a * population)) / second;
}

function bottleneckGrowth(work, speeds, radius) {
  let term = 1, power = 1, total = 1;
  for (const speed of speeds) {
    power *= radius;
    const ratio = work / speed;
    total += Math.abs(ratio - 1) * term * power;
    term *= ratio;
  }
  return term > 0 && total < 1e300 ? Math.log(total / term) : null;
}

function severalSpeeds(work, speeds, radius) {
  const sums = [];
  for (const x of [1, radius]) {
    let term = 1, total = 0, moment = 0;
    speeds.forEach((speed, j) => {
      total += term;
      moment += j * term;
      term *= (work * x) / speed;
    });
    const ratio = (work * x) / speeds.at(-1);
    if (ratio >= 1) return null;
    total += term / (1 - ratio);
    moment += (term * (speeds.length + ratio / (1 - ratio))) / (1 - ratio);
    if (!(moment < 1e300)) return null;
    sums.push([total, moment]);
  }
  return [sums[0][1] / sums[0][0], Math.log(sums[1][0] / sums[0][0]), Math.log(sums[1][1] / sums[0][1])];
}

function timeUnit({ population, delay, demands, rates }) {
  let least = delay, unit = 0;
  demands.forEach((demand, k) => {
    const speeds = rates[k];
    if (speeds === null) {
      least += demand;
      unit = Math.max(unit, demand);
    } else {
      least += demand * Math.min(...speeds.map((speed, j) => (j + 1) / speed));
      unit = Math.max(unit, demand / Math.max(...speeds));
    }
  });
  return Math.max(unit, least / population);
}

function convolve(model) {
  const { population: n, delay, demands, rates } = model;
  const unit = timeUnit(model);
  let series = products(Array.from({ length: n }, (_, j) => delay / unit / (j + 1)));
  const simple = [], several = [];
  demands.forEach((d, k) => {
    if (rates[k] === null) simple.push([k, d / unit]);
    else several.push(factor(k, d / unit, rates[k], n));
  });
  for (const [, ratio] of simple) series = geometric(series, ratio);
  const stay = demands.map(() => 0);
  let rest = series, last = null, before = series[n - 1], here = series[n];
  for (const [k, , , weights] of several) {
    rest = series;
    for (const [other, head, ratio] of several) if (other !== k) rest = product(rest, head, ratio);
    last = weights;
    before = coefficient(last, rest, n - 1);
    here = coefficient(last, rest, n);
    const moments = last.map((weight, j) => j * weight);
    stay[k] = before ? coefficient(moments, rest, n) / before : 0;
  }
  const narrow = (x) => !(x > 1e-200 && x < 1e200);
  if (narrow(here) || narrow(before)) throw new RangeError("beyond the range of this page");
  for (const [k, ratio] of simple) {
    const twice = geometric(rest, ratio);
    const seen = last === null ? twice[n - 1] : coefficient(last, twice, n - 1);
    stay[k] = (ratio * seen) / before;
  }
  return [before / here / unit, ...stay.map((time) => time * unit)];
}

function factor(station, work, speeds, population) {
  const ratios = speeds.map((speed) => work / speed);
  const ratio = ratios.at(-1);
  while (ratios.length < population) ratios.push(ratio);
  const weights = products(ratios.slice(0, population));
  return [station, weights.slice(0, speeds.length), ratio, weights];
}

function products(ratios) {
  const large = 2 ** SHIFT, small = 2 ** -SHIFT;
  let value = 1, height = 0, block = [1];
  const blocks = [[0, block]];
  for (const ratio of ratios) {
    value *= ratio;
    if (!(small < value && value < large) && value) {
      const up = value > 1 ? SHIFT : -SHIFT;
      value *= 2 ** -up;
      height += up;
      block = [];
      blocks.push([height, block]);
    }
    block.push(value);
  }
  const peaks = blocks.filter(([, b]) => Math.max(...b)).map(([h, b]) => h + exponent(Math.max(...b)));
  const top = Math.max(...peaks);
  return blocks.flatMap(([h, b]) => b.map((x) => x * 2 ** Math.max(h - top, -1100)));
}

/** e with 2^(e-1) <= x < 2^e, as frexp. */
function exponent(x) {
  let e = 0;
  for (; x >= 1; x /= 2) e++;
  for (; x < 0.5; x *= 2) e--;
  return e;
}

function geometric(series, ratio) {
  let last = 0;
  return series.map((value) => (last = value + ratio * last));
}

function product(series, head, ratio) {
  const steps = head.length - 1;
  const tail = geometric(series, ratio).map((value) => head.at(-1) * value);
  const found = [...Array(steps).fill(0), ...tail].slice(0, series.length);
  for (let j = Math.min(steps, series.length) - 1; j >= 0; j--) {
    for (let i = j; i < found.length; i++) found[i] += head[j] * series[i - j];
  }
  return found;
}

function coefficient(first, second, n) {
  let total = 0;
  for (let i = 0; i <= n; i++) total += first[i] * second[n - i];
  return total;
}
