import { matchPath } from '../router/matchPath.ts'

const PUBLIC = [
  '/agents/register',
  '/forgot-password',
  '/reset-password',
  '/sign-in/callback',
  '/status',
  '/verify/:recordId',
]

/** Whether the page at a path can be seen without signing in. */
export function isPublicPath(path: string): boolean {
  return PUBLIC.some((pattern) => matchPath(pattern, path) !== null)
}
