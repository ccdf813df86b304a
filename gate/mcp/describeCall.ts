import type { VerificationFields } from '@svc/client/gateway/verificationFields.ts'
import { areAlike } from './areAlike.ts'
import { isObject } from './jsonRpc.ts'
import type { AmountRule, DefaultPurposes, McpRules, ToolRule } from './mcpRules.ts'

/** What a server says about a tool. Source: MCP 2025-11-25 "Tool annotations". */
export type ToolHints = { readOnlyHint?: unknown; destructiveHint?: unknown }

/** What a call means to the registry, or why the registry cannot be asked. */
export type DescribedCall =
  | { ok: true; fields: VerificationFields; route: { method: string; path: string } }
  | { ok: false; problem: string }

/** Returns the rule of a tool; undefined if none matches its name. */
export function findRule({ tools }: McpRules, name: string): ToolRule | undefined {
  return tools.find(({ matches }) => matches(name))
}

/**
 * Describes a tool by its purpose and resource, without a call.
 *
 * Routes see a tool that only reads as GET, and every other as POST, of its resource. Without hints a tool is destructive,
 * as in the protocol.
 */
export function describeTool(
  rules: McpRules,
  name: string,
  hints: ToolHints,
): Extract<DescribedCall, { ok: true }> {
  const rule = findRule(rules, name)
  const resource = rule?.resource ?? name
  const kind = kindOf(hints)
  return {
    ok: true,
    fields: { purpose: rule?.purpose ?? rules.purposes[kind], resource },
    route: { method: kind === 'readOnly' ? 'GET' : 'POST', path: resource },
  }
}

/** Describes a call: like its tool, with the amount from its arguments, which limits are compared with. */
export function describeCall(
  rules: McpRules,
  call: { name: string; arguments: Readonly<Record<string, unknown>> },
  hints: ToolHints,
): DescribedCall {
  const rule = findRule(rules, call.name)
  if (rule?.isAllowed === false) return { ok: false, problem: 'This tool is not available.' }
  const described = describeTool(rules, call.name, hints)
  if (rule?.amount === undefined) return described
  const spent = readAmount(rule.amount, call.arguments)
  if ('problem' in spent) return { ok: false, problem: spent.problem }
  return { ...described, fields: { ...described.fields, ...spent } }
}

function kindOf({ readOnlyHint, destructiveHint }: ToolHints): keyof DefaultPurposes {
  if (readOnlyHint === true) return 'readOnly'
  return destructiveHint === false ? 'write' : 'destructive'
}

type Spent = { transactionValue: number; currency: string } | { problem: string }

function readAmount({ path, minorDigits, currency }: AmountRule, given: unknown): Spent {
  const rival = findRival(given, path) ?? ('path' in currency ? findRival(given, currency.path) : undefined)
  if (rival !== undefined) {
    return {
      problem: `The arguments have ${JSON.stringify(rival)}, which could be taken for what is verified.`,
    }
  }
  const amount = parseAmount(valueAt(given, path))
  if (amount === undefined) return { problem: `The arguments must have an amount at /${path.join('/')}.` }
  const code = 'code' in currency ? currency.code : valueAt(given, currency.path)
  if (typeof code !== 'string' || !/^[A-Za-z]{3,10}$/.test(code)) {
    return {
      problem: `The arguments must have a currency at /${'path' in currency ? currency.path.join('/') : ''}.`,
    }
  }
  // As a decimal: a division would change the last digits.
  const transactionValue = minorDigits === 0 ? amount : Number(`${amount}e-${minorDigits}`)
  return { transactionValue, currency: code.toUpperCase() }
}

/** Parses a number, or the text of one, as long as it is exact. */
function parseAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^\d{1,16}(?:\.\d{1,18})?$/.test(value) ? Number(value) : value
  const isAmount = typeof amount === 'number' && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER
  return isAmount && !String(amount).includes('e') ? amount : undefined
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) {
    if (Array.isArray(at) && /^\d{1,6}$/.test(name)) at = at[Number(name)]
    else if (isObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

/**
 * Returns a member beside one of the path that a server could read instead, as it does not tell their names apart: what is
 * verified would not be what it spends.
 */
function findRival(value: unknown, path: readonly string[]): string | undefined {
  for (const [depth, name] of path.entries()) {
    const at = valueAt(value, path.slice(0, depth))
    const rival = isObject(at) && Object.keys(at).find((other) => other !== name && areAlike(other, name))
    if (typeof rival === 'string') return rival
  }
  return undefined
}
