/**
 * A JSON-RPC message of MCP, of which only the members that matter here are known. Source: MCP 2025-11-25 "Base Protocol".
 */
export type Message = {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: unknown
  result?: unknown
  error?: unknown
}

/** Identifier of a request. */
export type RequestId = string | number

/** The response to a request. */
export type Answer = { jsonrpc: '2.0'; id: RequestId | null } & (
  | { result: Readonly<Record<string, unknown>> }
  | { error: { code: number; message: string; data?: unknown } }
)

/** Error codes. Source: JSON-RPC 2.0 §5.1; MCP 2025-11-25 "Elicitation"; MCP 2026-07-28 "Streamable HTTP". */
export const ERROR_CODES = {
  unparsable: -32700,
  invalidRequest: -32600,
  upstreamFailed: -32000,
  headerMismatch: -32020,
  urlElicitationRequired: -32042,
} as const

/** Builds an error as the response to a request; `id` is null for a message that cannot be read. */
export function buildError(id: RequestId | null, code: number, message: string, data?: unknown): Answer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** Whether a value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can identify a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isInteger(value)
}
