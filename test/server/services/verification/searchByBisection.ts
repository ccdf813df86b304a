type Step = { isOver: boolean; isNoticed: boolean }

/** More steps than a double has digits. */
const STEPS_MAX = 100

/**
 * Plays a counterparty that searches for a limit: it doubles an amount until it is denied, or halves a large one until it is
 * not, and then halves what is left, until somebody notices. Returns how many decimal digits it knows by then.
 */
export async function searchByBisection(
  isFromAbove: boolean,
  ask: (amount: number) => Promise<Step>,
): Promise<{ digits: number; steps: number }> {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  let next = isFromAbove ? 2e9 : 0.005
  for (let steps = 1; steps <= STEPS_MAX; steps += 1) {
    const { isOver, isNoticed } = await ask(next)
    if (isOver) high = next
    else low = next
    if (isNoticed) return { digits: Math.log10(high / (high - low)), steps }
    next = high === Number.POSITIVE_INFINITY ? low * 2 : (low + high) / 2
  }
  return { digits: Number.POSITIVE_INFINITY, steps: STEPS_MAX }
}
