const PROBLEM = 'application/problem+json'

/** Whether a request names problem details among the types that it accepts, and not only to refuse them (`q=0`). */
export function acceptsProblem(accept: string | undefined): boolean {
  const types = accept?.toLowerCase() ?? ''
  if (!types.includes(PROBLEM)) return false
  return types.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    // Source: RFC 9110 §12.4.2.
    return type === PROBLEM && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}
