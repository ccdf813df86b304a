/** Whether two values have the same JSON; sensitive to member order, which is fine for an edited copy. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
