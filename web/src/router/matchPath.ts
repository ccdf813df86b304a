/** Matches a path against a pattern such as `/agents/:id` and returns its decoded parameters, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/')
  const actual = path.replace(/(?<=.)\/+$/, '').split('/')
  if (expected.length !== actual.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of expected.entries()) {
    const value = actual[at] ?? ''
    if (part.startsWith(':')) {
      const decoded = decodePart(value)
      if (decoded === null || decoded === '') return null
      params[part.slice(1)] = decoded
    } else if (part !== value) return null
  }
  return params
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
