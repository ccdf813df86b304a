/** The parameters of a path that has the shape of `pattern` (`/agents/:id`), decoded; null for any other. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.replace(/(?<=.)\/+$/, '').split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    if (part.startsWith(':')) {
      const decoded = decodedPart(value)
      if (decoded === null || decoded === '') return null
      params[part.slice(1)] = decoded
    } else if (part !== value) return null
  }
  return params
}

function decodedPart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
