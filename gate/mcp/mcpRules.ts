/** Who sees a tool in the list; whoever calls it is verified in any case. */
export const LISTED_FOR = ['everyone', 'agents', 'nobody'] as const

export type ListedFor = (typeof LISTED_FOR)[number]

/** Where the amount of a call is in its arguments. */
export type AmountRule = {
  /** Names of members, from the outermost. */
  path: readonly string[]
  /** How many digits of the number are decimals: 2 if the tool counts cents. */
  minorDigits: number
  currency: { path: readonly string[] } | { code: string }
}

/** What a tool means to the registry. */
export type ToolRule = {
  /** Matches names of tools. */
  matches: (name: string) => boolean
  isAllowed: boolean
  listedFor: ListedFor
  purpose: string | undefined
  resource: string | undefined
  amount: AmountRule | undefined
}

/** Purposes of tools whose rule names none, by the server's hints about the tool. */
export type DefaultPurposes = { readOnly: string; write: string; destructive: string }

/** What calls of tools mean to the registry; if several rules match a tool, the first counts. */
export type McpRules = { purposes: DefaultPurposes; tools: readonly ToolRule[] }

/** The rules without a file. */
export const DEFAULT_RULES: McpRules = {
  purposes: { readOnly: 'tools:read', write: 'tools:write', destructive: 'tools:destroy' },
  tools: [],
}
