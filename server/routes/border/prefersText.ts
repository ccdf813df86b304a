/**
 * Whether a request prefers plain text to JSON: it names `text/plain` with a higher weight than any range that covers JSON.
 *
 * JSON is the default of the API, so a header without a preference gets JSON.
 *
 * Source: RFC 9110 §12.5.1.
 */
export function prefersText(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? '').split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [type, weight === undefined ? 1 : Number(weight) || 0]
    }),
  )
  const text = weights.get('text/plain') ?? 0
  const json = weights.get('application/json') ?? weights.get('application/*') ?? 0
  return text > 0 && text > json
}
