import type { createGateway } from '@svc/client/gateway/createGateway.ts'
import type { CallSession } from './callSession.ts'
import { hintsOf } from './createToolHints.ts'
import { describeTool, findRule } from './describeCall.ts'
import { isObject, type Message } from './jsonRpc.ts'
import type { McpRules } from './mcpRules.ts'

/** Who asks for a list of tools. */
export type Reader = { agentId: string | undefined; session: CallSession | undefined }

/** Returns a message as a reader may see it: the same one, unless it is a list of tools from which some are left out. */
export type ListFilter = (message: Message, reader: Reader) => Promise<Message>

type Tool = Readonly<Record<string, unknown>> & { name: string }

const FRESH_MS = 60_000
const ANSWERS_MAX = 1_000
const AT_ONCE = 8

/**
 * Creates the filter of lists: tools are left out that the rules hide or do not allow, that the registry has refused to this
 * agent in this session, or that callers without an agent may not call.
 *
 * For the last, the registry is asked by dry runs, once a minute for each tool, for all such callers together. It is not
 * asked about agents: dry runs about them are limited, and reveal their mandates. Without a decision, nothing is shown to
 * callers without an agent.
 *
 * Source: docs/decisions/0115-what-a-caller-sees-of-tools.md.
 */
export function createListFilter(
  { gateway, rules }: { gateway: Pick<ReturnType<typeof createGateway>, 'verify'>; rules: McpRules },
  now: () => number = Date.now,
): ListFilter {
  const answers = new Map<string, { isGranted: Promise<boolean>; until: number }>()

  async function askAnonymously(tool: Tool): Promise<boolean> {
    const { fields, route } = describeTool(rules, tool.name, hintsOf(tool))
    const outcome = await gateway.verify({ method: route.method, fields: { ...fields, dryRun: true }, route })
    if (!outcome.passes && outcome.refusal.status >= 500) answers.delete(keyOf(tool))
    return outcome.passes
  }

  function mayAnonymous(tool: Tool): Promise<boolean> {
    const key = keyOf(tool)
    const known = answers.get(key)
    if (known !== undefined && known.until > now()) return known.isGranted
    const isGranted = askAnonymously(tool)
    answers.set(key, { isGranted, until: now() + FRESH_MS })
    const [oldest] = answers.keys()
    if (answers.size > ANSWERS_MAX && oldest !== undefined) answers.delete(oldest)
    return isGranted
  }

  async function isShown(tool: Tool, { agentId, session }: Reader): Promise<boolean> {
    const rule = findRule(rules, tool.name)
    if (rule?.isAllowed === false || rule?.listedFor === 'nobody') return false
    if (agentId !== undefined) return session?.isRefused(agentId, tool.name) !== true
    return rule?.listedFor !== 'agents' && mayAnonymous(tool)
  }

  return async (message, reader) => {
    const { result } = message
    if (!isToolList(result)) return message
    const shown: unknown[] = []
    for (let at = 0; at < result.tools.length; at += AT_ONCE) {
      const some = result.tools.slice(at, at + AT_ONCE)
      const isEach = await Promise.all(some.map((tool) => isTool(tool) && isShown(tool, reader)))
      shown.push(...some.filter((_, nth) => isEach[nth]))
    }
    // No cache may show one caller the list of another. Source: MCP 2026-07-28 "Caching".
    const scope = result.cacheScope === undefined ? {} : { cacheScope: 'private' }
    return { ...message, result: { ...result, ...scope, tools: shown } }
  }
}

/** The result of a call has content, whatever else a server adds to it. */
function isToolList(
  result: unknown,
): result is Readonly<Record<string, unknown>> & { tools: readonly unknown[] } {
  return isObject(result) && Array.isArray(result.tools) && !('content' in result)
}

function isTool(tool: unknown): tool is Tool {
  return isObject(tool) && typeof tool.name === 'string'
}

/** Contains everything that the decision depends on, so that a tool that has changed is asked about again. */
function keyOf(tool: Tool): string {
  const { readOnlyHint, destructiveHint } = hintsOf(tool)
  return JSON.stringify([tool.name, readOnlyHint, destructiveHint])
}
