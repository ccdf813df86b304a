const API = '/api'

/**
 * Creates a function that finds the path of the API that a caller of an unknown path probably means: the same one below
 * `/api`, or with `/api` once where it is there twice. Returns the pattern of its route, or null.
 *
 * Clients put both together from a base URL, which is easily given with `/api` or without.
 *
 * @param patterns Paths of the routes, with `:name` for parameters.
 */
export function createPathFinder(patterns: readonly string[]): (url: string) => string | null {
  const known = patterns
    .filter((pattern) => pattern.startsWith(`${API}/`))
    .map((pattern) => ({ pattern, form: compile(pattern) }))
  return (url) => {
    const path = url.split('?')[0] ?? ''
    const meant = path.startsWith(`${API}${API}/`) ? path.slice(API.length) : API + path
    return known.find(({ form }) => form.test(meant))?.pattern ?? null
  }
}

/** Paths are compared as Express compares them: in any case, with or without a slash at the end. */
function compile(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : quote(segment)))
  return new RegExp(`^${segments.join('/')}/?$`, 'i')
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
