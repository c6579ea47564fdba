// Erlang's formulas, in step with qmodel to the last bit.

const NOTHING = 1e-30;

export function erlangB(servers, load) {
  if (load === 0) return servers ? 0 : 1;
  const start = load >= servers ? servers : Math.floor(load);
  let term = 1, total = 1;
  for (let i = start; i > 0; i--) {
    term *= i / load;
    total += term;
    if (term < NOTHING) break;
  }
  let lost = 1 / total;
  for (let k = start + 1; k <= servers; k++) {
    const offered = load * lost;
    if (offered === 0) return 0;
    lost = offered / (k + offered);
  }
  return lost;
}

export function erlangC(servers, load, spare) {
  const lost = erlangB(servers, load);
  return (servers * lost) / (spare + load * lost);
}

/** Capacity less rate times demand, as if computed in twice the precision. */
export function spareCapacity(limit, rate, demand) {
  const product = rate * demand;
  const left = limit - product;
  let lost = 0;
  lost += limit - left - product;
  lost -= roundingOf(rate, demand, product);
  return left + lost;
}

const SPLIT = 2 ** 27 + 1;

/** What a * b lost when it was rounded to product, exactly (Dekker). */
function roundingOf(a, b, product) {
  const [aHigh, aLow] = halves(a), [bHigh, bLow] = halves(b);
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function halves(x) {
  const shifted = SPLIT * x;
  const high = shifted - (shifted - x);
  return [high, x - high];
}
