/** Whether a list that restricts a value, in lower case, does not contain it. */
export function outsideList(list: readonly string[] | undefined, value: string | undefined): boolean {
  if (list === undefined || list.length === 0) return false
  return value === undefined || !list.some((entry) => entry.toLowerCase() === value)
}
