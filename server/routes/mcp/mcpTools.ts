import { verificationRequestSchema } from '@svc/core/access/verificationRequest.ts'
import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { ACCESS } from '../../middleware/authorise.ts'
import type { Answer, Call, RepeatableCall } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { parseJsonText } from '../../middleware/parseJsonText.ts'
import type { BudgetName } from '../../middleware/rateBudget.ts'
import type { SignedRequest } from '../../services/accounts/authenticateSignature.ts'
import { type SearchDocsDeps, searchDocs } from '../../services/mcp/searchDocs.ts'
import type { Principal } from '../../services/principal.ts'
import { postAgentsRegister } from '../agents/registration.ts'
import { getRequestRegistration, postRequestRegistration } from '../registrations/requestRegistration.ts'
import { postVerifyAccess } from '../verification/verifyAccess.ts'

type PartsOf<Operation extends { handle(parts: never): unknown }> = Parameters<Operation['handle']>[0]

/** What the tools need: the parts of the operations they are, and of the MCP server itself. */
export type McpParts = PartsOf<typeof postAgentsRegister> &
  PartsOf<typeof postVerifyAccess> &
  PartsOf<typeof postRequestRegistration> &
  PartsOf<typeof getRequestRegistration> & {
    mcp: SearchDocsDeps & {
      /** Version of the service's package. */
      version: string
      publicUrl: string
      /** Sites whose pages may call; a request that no page sends names none. */
      origins: ReadonlySet<string>
      /** Whose key signed a request that came as a tool's arguments. */
      signedBy(request: SignedRequest, now: number): Promise<Principal>
    }
  }

/** MCP has no Idempotency-Key. */
const once: RepeatableCall['once'] = (work) => work()

/** One tool: what it takes, and what does it. */
export type McpTool = {
  description: string
  input: z.ZodType
  /** Whether it only looks. */
  readOnlyHint: boolean
  /** Does it for the caller. @throws ApiError. */
  run(args: unknown, call: Call): Promise<Answer> | Answer
}

const REGISTER_PATH = '/api/agents/register'

const registration = z.object({
  body: z
    .string()
    .min(2)
    .max(200_000)
    .describe(
      'JSON of the registration, exactly as it was signed: {"name": …, "description"?, "pdlss"?, "protocols"?, …}',
    ),
  signature: z
    .string()
    .min(1)
    .max(4_200)
    .optional()
    .describe(
      'X-Svc-Signature over POST /api/agents/register; without it the API key of the session registers',
    ),
  timestamp: z.string().max(20).optional().describe('X-Svc-Timestamp, Unix seconds'),
  nonce: z.string().max(128).optional().describe('X-Svc-Nonce'),
  address: z.string().max(64).optional().describe('X-Svc-Address'),
})

const search = z.object({
  query: z.string().trim().min(1).max(200).describe('Words to look for'),
  limit: z.int().min(1).max(10).default(5),
})

/**
 * The tools of the MCP server, by name. Each is an operation of the interface: the same schema, authorisation, rate
 * budget, services and answer, whichever door it is asked at.
 *
 * Source: api.md "Agents"; MCP 2025-06-18 "Tools".
 */
export function mcpTools(parts: McpParts): Readonly<Record<string, McpTool>> {
  const register = postAgentsRegister.handle(parts)
  const verify = postVerifyAccess.handle(parts)
  const request = postRequestRegistration.handle(parts)
  const poll = getRequestRegistration.handle(parts)
  return {
    register_agent: {
      description:
        'Registers an agent: at once by its owner’s signature (EIP-191 over method, path, time, nonce and body hash), or, with an API key, once the owner has approved.',
      input: registration,
      readOnlyHint: false,
      async run(args, call) {
        const signed = parseInput(registration, args)
        const principal = await registrar(parts, signed, call)
        await admit(call, principal, 'signatureOrApiKey', 'api')
        return register({ ...call, once, principal, body: parseJsonText(signed.body) })
      },
    },
    verify_agent: {
      description:
        'Decides whether an agent may do this at your endpoint now, and records the outcome. Needs the API key of the endpoint’s account.',
      input: verificationRequestSchema,
      readOnlyHint: false,
      async run(args, call) {
        await admit(call, call.principal, 'apiKey', 'verify')
        return verify({ ...call, once, body: args, header: () => undefined })
      },
    },
    request_registration: {
      description:
        'Asks the reader of an e-mail address to register an agent; poll_registration says what becomes of it.',
      input: postRequestRegistration.body ?? z.never(),
      readOnlyHint: false,
      async run(args, call) {
        await admit(call, NOBODY, 'anyone', 'outreach')
        return request({ ...call, once, body: args })
      },
    },
    poll_registration: {
      description: 'Says where a registration request stands.',
      input: z.object({ requestId: z.string().min(1).max(100) }),
      readOnlyHint: true,
      async run(args, call) {
        const params = parseInput(z.object({ requestId: z.string().min(1).max(100) }), args)
        await admit(call, NOBODY, 'anyone', 'public')
        return poll({ ...call, once, params })
      },
    },
    search_docs: {
      description: 'Finds the parts of this service’s documentation that words are about.',
      input: search,
      readOnlyHint: true,
      async run(args, call) {
        const wanted = parseInput(search, args)
        await admit(call, NOBODY, 'anyone', 'public')
        return { body: { success: true, results: await searchDocs(parts.mcp, wanted) } }
      },
    },
  }
}

const NOBODY: Principal = { kind: 'nobody' }

/** Who registers: whoever signed the text, else the credential of the request. */
async function registrar(
  { mcp }: McpParts,
  signed: z.output<typeof registration>,
  call: Call,
): Promise<Principal> {
  const { signature, timestamp, nonce, address } = signed
  if (signature === undefined) return call.principal
  // As at the border: recovering a signer costs, so it is paid for before it is done.
  await call.take('public', NOBODY)
  const rawBody = Buffer.from(signed.body, 'utf8')
  const request = { method: 'POST', path: REGISTER_PATH, signature, timestamp, nonce, address, rawBody }
  return mcp.signedBy(request, call.now)
}

/** Lets in whom the operation's row of the table lets in, and counts it there. @throws ApiError. */
async function admit(
  call: Call,
  principal: Principal,
  access: 'anyone' | 'apiKey' | 'signatureOrApiKey',
  budget: BudgetName,
): Promise<void> {
  const verdict = ACCESS[access][principal.kind]
  if (verdict !== 'allow') throw apiError(verdict)
  await call.take(budget, principal)
}
