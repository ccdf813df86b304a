import { POLICY_NAME, POLICY_NAME_EXPECTED } from '@svc/core/pdlss/policyNamePattern.ts'
import { SettingsError } from '../settings/settingsError.ts'
import { isObject } from './jsonRpc.ts'
import {
  type AmountRule,
  DEFAULT_RULES,
  LISTED_FOR,
  type ListedFor,
  type McpRules,
  type ToolRule,
} from './mcpRules.ts'

type Content = Readonly<Record<string, unknown>>

const TOOL_MEMBERS = ['allowed', 'listedFor', 'purpose', 'resource', 'amount', 'minorDigits', 'currency']
const CURRENCY = /^[A-Z]{3,10}$/

/**
 * Reads what a rule file says.
 *
 * @param content The file, parsed.
 * @param path For the messages.
 * @throws SettingsError that names the file and the member.
 * Source: docs/gate.md.
 */
export function readMcpRules(content: unknown, path: string): McpRules {
  const file = new Reader(path)
  const { purposes = {}, tools = {} } = file.object('', content, ['purposes', 'tools'])
  const given = file.object('purposes', purposes, Object.keys(DEFAULT_RULES.purposes))
  for (const [name, purpose] of Object.entries(given)) file.purpose(`purposes.${name}`, purpose)
  return {
    purposes: { ...DEFAULT_RULES.purposes, ...given },
    tools: Object.entries(file.object('tools', tools)).map(([name, rule]) => file.tool(name, rule)),
  }
}

/** Reads parts of one file, so that each message names it. */
class Reader {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  #fail(member: string, expected: string): never {
    throw new SettingsError(`${this.#path}: ${member || 'the file'} must be ${expected}.`)
  }

  object(member: string, value: unknown, names?: readonly string[]): Content {
    if (!isObject(value)) this.#fail(member, 'an object')
    const unknown = Object.keys(value).find((name) => names !== undefined && !names.includes(name))
    if (unknown !== undefined) {
      throw new SettingsError(
        `${this.#path}: ${[member, unknown].filter(Boolean).join('.')} is unknown; there are ${names?.join(', ')}.`,
      )
    }
    return value
  }

  purpose(member: string, value: unknown): string {
    if (typeof value === 'string' && POLICY_NAME.test(value)) return value
    return this.#fail(member, `a purpose such as shopping:buy (${POLICY_NAME_EXPECTED})`)
  }

  tool(name: string, value: unknown): ToolRule {
    const member = `tools.${name}`
    const rule = this.object(member, value, TOOL_MEMBERS)
    const { allowed = true, listedFor = 'everyone', purpose, resource } = rule
    if (typeof allowed !== 'boolean') this.#fail(`${member}.allowed`, 'true or false')
    if (!LISTED_FOR.includes(listedFor as ListedFor)) {
      this.#fail(`${member}.listedFor`, LISTED_FOR.join(' or '))
    }
    if (resource !== undefined && (typeof resource !== 'string' || resource === '')) {
      this.#fail(`${member}.resource`, 'a text such as /orders')
    }
    return {
      matches: compileName(name),
      isAllowed: allowed,
      listedFor: listedFor as ListedFor,
      purpose: purpose === undefined ? undefined : this.purpose(`${member}.purpose`, purpose),
      resource: resource as string | undefined,
      amount: this.#amount(member, rule),
    }
  }

  #amount(member: string, { amount, minorDigits = 0, currency }: Content): AmountRule | undefined {
    if (amount === undefined) {
      if (currency !== undefined) this.#fail(`${member}.amount`, 'given, because there is a currency')
      return undefined
    }
    if (!Number.isInteger(minorDigits) || Number(minorDigits) < 0 || Number(minorDigits) > 18) {
      this.#fail(`${member}.minorDigits`, 'a whole number from 0 to 18')
    }
    const isCode = typeof currency === 'string' && CURRENCY.test(currency)
    return {
      path: this.#pointer(`${member}.amount`, amount),
      minorDigits: Number(minorDigits),
      currency: isCode
        ? { code: currency }
        : { path: this.#pointer(`${member}.currency`, currency, 'EUR or ') },
    }
  }

  /** Source: RFC 6901. */
  #pointer(member: string, value: unknown, other = ''): readonly string[] {
    if (typeof value !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)+$/.test(value)) {
      this.#fail(member, `${other}a JSON pointer into the arguments, such as /total`)
    }
    const parts = value.slice(1).split('/')
    return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
}

/** `*` stands for any characters. */
function compileName(name: string): (tool: string) => boolean {
  if (!name.includes('*')) return (tool) => tool === name
  const parts = name.split(/\*+/).map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('[^]*')}$`)
  return (tool) => pattern.test(tool)
}
