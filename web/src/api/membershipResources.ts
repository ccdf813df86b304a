import type { Resource } from './call.ts'

/** Everything that depends on the caller's own memberships, and is stale once one of them has begun, changed or ended. */
export const membershipResources: readonly Resource[] = [
  'GET /api/me',
  'GET /api/organizations',
  'GET /api/api-keys',
  'GET /api/endpoints',
  'GET /api/agents',
]
