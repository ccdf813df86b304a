import { verificationRequestSchema } from '@svc/core/access/verificationRequestSchema.ts'
import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { ACCESS } from '../../middleware/authorise.ts'
import type { Answer, Call, RepeatableCall, WaitingCall } from '../../middleware/call.ts'
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

/** What the tools need: the parts of their operations and of the MCP server itself. */
export type McpParts = PartsOf<typeof postAgentsRegister> &
  PartsOf<typeof postVerifyAccess> &
  PartsOf<typeof postRequestRegistration> &
  PartsOf<typeof getRequestRegistration> & {
    mcp: SearchDocsDeps & {
      /** Version of the service's package. */
      version: string
      publicUrl: string
      /** Origins whose pages may call; requests that do not come from a page have none. */
      origins: ReadonlySet<string>
      /** Verifies a signed request that came as a tool's arguments, and returns its signer. */
      signedBy(request: SignedRequest, now: number): Promise<Principal>
    }
  }

/** MCP has no Idempotency-Key. */
const once: RepeatableCall['once'] = (work) => work()

/** A tool of the MCP server. */
export type McpTool = {
  description: string
  input: z.ZodType
  /** Whether it only reads. */
  readOnlyHint: boolean
  /** @throws ApiError. */
  run(args: unknown, call: WaitingCall): Promise<Answer> | Answer
}

const REGISTER_PATH = '/api/agents/register'

const registration = z.object({
  body: z
    .string()
    .min(2)
    .max(200_000)
    .describe(
      'JSON of the registration, exactly as it was signed: {"name": …, "description"?, "pdlss"?, "protocols"?, "keys"?: [public JWK, …], …}',
    ),
  signature: z
    .string()
    .min(1)
    .max(4_200)
    .optional()
    .describe(
      'X-Svc-Signature over POST /api/agents/register; without it, the API key of the request is used',
    ),
  timestamp: z.string().max(20).optional().describe('X-Svc-Timestamp, Unix seconds'),
  nonce: z.string().max(128).optional().describe('X-Svc-Nonce'),
  address: z.string().max(64).optional().describe('X-Svc-Address, required with X-Svc-Service'),
  service: z.string().max(300).optional().describe('X-Svc-Service, if the signature names the service'),
})

const search = z.object({
  query: z.string().trim().min(1).max(200).describe('Words to search for'),
  limit: z.int().min(1).max(10).default(5),
})

/**
 * The tools of the MCP server, by name. All but `search_docs` run an operation of the API, with the same schema,
 * authorisation, rate budget, services and response.
 *
 * Source: MCP 2025-06-18 "Tools".
 */
export function createMcpTools(parts: McpParts): Readonly<Record<string, McpTool>> {
  const register = postAgentsRegister.handle(parts)
  const verify = postVerifyAccess.handle(parts)
  const request = postRequestRegistration.handle(parts)
  const poll = getRequestRegistration.handle(parts)
  return {
    register_agent: {
      description:
        'Registers an agent: immediately with its owner’s signature (EIP-191 over service, method, path, time, nonce and body hash) or, with an API key, once the owner approves.',
      input: registration,
      readOnlyHint: false,
      async run(args, call) {
        const signed = parseInput(registration, args)
        const principal = await identifyCaller(parts, signed, call)
        await admit(call, principal, 'signatureOrApiKey', 'api')
        return register({ ...call, once, principal, body: parseJsonText(signed.body) })
      },
    },
    verify_agent: {
      description:
        'Decides whether an agent may perform an action at your endpoint now, and records the outcome. Needs the API key of the endpoint’s account.',
      input: verificationRequestSchema,
      readOnlyHint: false,
      async run(args, call) {
        await admit(call, call.principal, 'apiKey', 'verify')
        return verify({ ...call, once, body: args, header: () => undefined })
      },
    },
    request_registration: {
      description:
        'Asks the owner of an e-mail address to register an agent; poll_registration returns the outcome.',
      input: postRequestRegistration.body ?? z.never(),
      readOnlyHint: false,
      async run(args, call) {
        await admit(call, NOBODY, 'anyone', 'outreach')
        return request({ ...call, once, body: args })
      },
    },
    poll_registration: {
      description: 'Returns the state of a registration request.',
      input: z.object({ requestId: z.string().min(1).max(100) }),
      readOnlyHint: true,
      async run(args, call) {
        const params = parseInput(z.object({ requestId: z.string().min(1).max(100) }), args)
        await admit(call, NOBODY, 'anyone', 'public')
        return poll({ ...call, once, params })
      },
    },
    search_docs: {
      description: 'Searches the documentation of this service.',
      input: search,
      readOnlyHint: true,
      async run(args, call) {
        const input = parseInput(search, args)
        await admit(call, NOBODY, 'anyone', 'public')
        return { body: { success: true, results: await searchDocs(parts.mcp, input) } }
      },
    },
  }
}

const NOBODY: Principal = { kind: 'nobody' }

/** The signer of the registration, or the caller of the request if it is not signed. */
async function identifyCaller(
  { mcp }: McpParts,
  signed: z.output<typeof registration>,
  call: Call,
): Promise<Principal> {
  const { signature, timestamp, nonce, address, service } = signed
  if (signature === undefined) return call.principal
  // As at the border, the budget is charged before the signer is recovered, because recovery is expensive.
  await call.take('public', NOBODY)
  const rawBody = Buffer.from(signed.body, 'utf8')
  const stated = { signature, timestamp, nonce, address, service }
  const request = { method: 'POST', path: REGISTER_PATH, ...stated, rawBody }
  return mcp.signedBy(request, call.now)
}

/** Applies the access and the rate budget of the operation's row in the table. @throws ApiError. */
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
