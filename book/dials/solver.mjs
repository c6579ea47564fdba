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
  const plain = rates.every((r) => r === null), reached = within(model);
  return saturated(reached) ?? (plain ? meanValueAnalysis(reached) : convolve(reached));
}

/** The speeds that so many customers can reach, the last going on, none said twice there. */
function within({ population, delay, demands, rates }) {
  const speeds = rates.map((each) => {
    let last = Math.min(each?.length ?? 1, population);
    while (last > 1 && each[last - 2] === each[last - 1]) last -= 1;
    return each?.slice(0, last) ?? [1];
  });
  return {
    population,
    delay,
    demands: demands.map((demand, k) => (speeds[k].length === 1 ? demand / speeds[k][0] : demand)),
    rates: speeds.map((each) => (each.length === 1 ? null : each)),
  };
}

/** A multi-server station's speeds. */
export const servers = (m) => (m === 1 ? null : Array.from({ length: m }, (_, j) => j + 1));

/**
 * Throughput with 1, 2 ... customers, for curves: one convolution instead of many solutions.
 * NaN where so few customers are beyond the range of floats beside so many.
 */
export function throughputs(model) {
  const { population: n, delay, demands, rates } = model;
  const unit = timeUnit(model);
  let series = products(Array.from({ length: n }, (_, j) => delay / unit / (j + 1)));
  let last;
  demands.forEach((d, k) => {
    if (rates[k] === null) series = geometric(series, d / unit);
    else {
      if (!alike(model, k)) last = factor(k, d / unit, rates[k], Math.min(n, rates[k].length));
      series = product(series, last[1], last[2]);
    }
  });
  return Array.from(series.slice(1), (here, i) => (series[i] > 1e-290 ? series[i] / here / unit : NaN));
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
    else several.push(alike(model, k) ? [k, ...several.at(-1).slice(1)] : factor(k, d / unit, rates[k], n));
  });
  for (const [, ratio] of simple) series = geometric(series, ratio);
  const stay = demands.map(() => 0);
  let rest = series, last = null, before = series[n - 1], here = series[n];
  for (const [k, , , weights] of several) {
    if (alike(model, k)) {
      stay[k] = stay[k - 1]; // the same sums in the same order
      continue;
    }
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
    if (alike(model, k)) {
      stay[k] = stay[k - 1];
      continue;
    }
    const twice = geometric(rest, ratio);
    const seen = last === null ? twice[n - 1] : coefficient(last, twice, n - 1);
    stay[k] = (ratio * seen) / before;
  }
  return [before / here / unit, ...stay.map((time) => time * unit)];
}

/** Whether a station is like the one before it, as the drives of an array are. */
function alike({ demands, rates }, k) {
  const [mine, other] = [rates[k], rates[k - 1]];
  return k > 0 && demands[k] === demands[k - 1]
    && (mine === other || (mine !== null && other !== null && mine.length === other.length && mine.every((r, j) => r === other[j])));
}

function factor(station, work, speeds, population) {
  const ratios = speeds.map((speed) => work / speed);
  const ratio = ratios.at(-1);
  while (ratios.length < population) ratios.push(ratio);
  const weights = products(ratios.slice(0, population));
  return [station, weights.slice(0, speeds.length), ratio, weights];
}

/** 1 and the products of the first, the first two ... of some ratios, scaled so that the largest is near 1. */
function products(ratios) {
  const large = 2 ** SHIFT, small = 2 ** -SHIFT;
  const found = new Float64Array(ratios.length + 1), heights = new Int32Array(found.length);
  let value = 1, height = 0, top = 1;
  found[0] = 1;
  for (let j = 1; j < found.length; j++) {
    value *= ratios[j - 1];
    if (!(small < value && value < large) && value) {
      const up = value > 1 ? SHIFT : -SHIFT;
      value *= 2 ** -up;
      height += up;
    }
    found[j] = value;
    heights[j] = height;
    if (value) top = Math.max(top, height + exponent(value));
  }
  let scale = 1;
  for (let j = 0; j < found.length; j++) {
    if (!j || heights[j] !== heights[j - 1]) scale = 2 ** Math.max(heights[j] - top, -1100);
    found[j] *= scale;
  }
  return found;
}

const bits = new DataView(new ArrayBuffer(8));

/** e with 2^(e-1) <= x < 2^e, as frexp; x is no subnormal number. */
function exponent(x) {
  bits.setFloat64(0, x);
  return ((bits.getUint16(0) >> 4) & 0x7ff) - 1022;
}

function geometric(series, ratio) {
  const found = new Float64Array(series.length);
  let last = 0;
  for (let i = 0; i < series.length; i++) found[i] = last = series[i] + ratio * last;
  return found;
}

function product(series, head, ratio) {
  const steps = head.length - 1, found = new Float64Array(series.length);
  const tail = geometric(series, ratio);
  for (let i = steps; i < found.length; i++) found[i] = head[steps] * tail[i - steps];
  for (let j = Math.min(steps, found.length) - 1; j >= 0; j--) {
    const weight = head[j];
    for (let i = j; i < found.length; i++) found[i] += weight * series[i - j];
  }
  return found;
}

function coefficient(first, second, n) {
  let total = 0;
  for (let i = 0; i <= n; i++) total += first[i] * second[n - i];
  return total;
}
