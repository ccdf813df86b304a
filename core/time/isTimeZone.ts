/**
 * Says whether a name is a zone of the IANA database as this runtime knows it.
 *
 * Fixed offsets such as `+02:00`, which some runtimes also take, are refused: they know no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
