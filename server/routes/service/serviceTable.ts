import { postMcp } from '../mcp/postMcp.ts'
import type { TableRow } from '../operation.ts'
import { getLlmsTxt, getOpenApi } from './documents.ts'
import { getHealth, getJwks, getMetrics, getSignedRequests } from './service.ts'

/** The operations for the service itself. */
export const SERVICE_TABLE = [
  ['GET', '/.well-known/jwks.json', 'anyone', 'none', getJwks],
  ['GET', '/.well-known/signed-requests.json', 'anyone', 'public', getSignedRequests],
  ['GET', '/api/health', 'anyone', 'none', getHealth],
  ['GET', '/api/openapi.json', 'anyone', 'public', getOpenApi],
  ['GET', '/metrics', 'anyone', 'metrics', getMetrics],
  ['GET', '/llms.txt', 'anyone', 'public', getLlmsTxt],
  ['POST', '/mcp', 'optional', 'public', postMcp],
] as const satisfies readonly TableRow[]
