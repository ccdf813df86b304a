import type { CommonSettings } from '../settings/gateSettings.ts'
import type { McpRules } from './mcpRules.ts'

/** A command that runs an MCP server at its standard input and output. */
export type ServerCommand = {
  command: string
  args: readonly string[]
  /** The agent that calls, unless a call names one. */
  agentId: string | undefined
  /** File with the key of that agent, which then signs each call. */
  agentKeyFile: string | undefined
}

/** What a gate before an MCP server does. */
export type McpSettings = CommonSettings & {
  /** Its address, or the command that runs it. */
  server: URL | ServerCommand
  rules: McpRules
  /** Of one message of a client, or one batch. */
  messageBytesMax: number
}
