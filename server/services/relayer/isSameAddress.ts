/** Whether two addresses are one, whatever their upper and lower case (ERC-55 is for the eye only). */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
