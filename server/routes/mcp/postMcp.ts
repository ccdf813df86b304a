import { z } from 'zod'
import { apiError, validationError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { operation } from '../operation.ts'
import type { createMcpServer } from './createMcpServer.ts'
import type { McpParts } from './createMcpTools.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') })

/**
 * The stateless MCP server: each request is independent and gets a JSON response.
 *
 * Requests from pages of other origins are rejected, which also prevents DNS rebinding.
 *
 * It serves the revision without a handshake and those with one side by side.
 *
 * Source: MCP 2025-06-18 "Transports", Streamable HTTP and Security Warning; MCP 2026-07-28 "Versioning".
 */
export const postMcp = operation({
  summary: 'Handles a message of the Model Context Protocol (streamable HTTP, stateless).',
  body: message,
  answer: message,
  otherStatuses: {
    202: { when: 'The message is a notification, which has no response' },
    404: { when: 'The message names an unknown method, in the revision 2026-07-28', answer: message },
    406: { when: '`Accept` lacks `application/json` or `text/event-stream`', answer: message },
  },
  errors: ['VALIDATION_ERROR', 'FORBIDDEN'],
  waitsForHost: 'decision',
  handle: (parts: McpParts) => {
    let loading: Promise<ReturnType<typeof createMcpServer>> | null = null
    // Loaded at the first message, because its modules take a tenth of the time of a start.
    const load = () => {
      loading ??= import('./createMcpServer.ts').then(({ createMcpServer }) => createMcpServer(parts))
      return loading
    }
    return async (call) => {
      rejectOtherOrigin(parts, call)
      if (Array.isArray(call.body)) {
        throw validationError([{ pointer: '', code: 'batch', message: 'expected one message, not a batch' }])
      }
      return (await load())(call)
    }
  },
})

function rejectOtherOrigin({ mcp }: McpParts, call: Call): void {
  const origin = call.header('origin')
  if (origin === undefined || mcp.origins.has(origin)) return
  throw apiError('FORBIDDEN', { message: 'Pages of other origins may not call the MCP server.' })
}
