/** When something is allowed: days 0 (Sunday) to 6, whole hours half-open, in a named zone. Spec: PDLSS object, duration. */
export type WeeklyWindow = {
  allowedDays?: readonly number[] | undefined
  allowedHours?: { start: number; end: number } | undefined
  /** IANA name; UTC when absent. */
  timezone?: string | undefined
}
