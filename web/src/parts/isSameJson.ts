/** Whether two values are the same as JSON, members in the same order: edited from one another, as forms do it. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
