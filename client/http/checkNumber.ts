/** The largest delay of a timer; a timer with a larger one fires at once. */
export const TIMER_MS_MAX = 2_147_483_647

/**
 * Checks a setting that is a number.
 *
 * JavaScript takes anything for one: the text of an environment variable would be joined to a number instead of added to it,
 * and NaN would be no limit at all.
 *
 * @throws Error that names the setting.
 */
export function checkNumber(name: string, value: unknown, min: number, max: number): void {
  if (typeof value === 'number' && value >= min && value <= max) return
  const got = typeof value === 'string' ? `the text ${JSON.stringify(value)}` : String(value)
  throw new Error(`${name} must be a number from ${min} to ${max}, got ${got}`)
}
