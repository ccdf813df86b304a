import { Stack, Text } from '@mantine/core'
import { BLOCKS, type Block, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { Facts } from './Facts.tsx'
import { capitalise, wordsOf } from './words/words.ts'

/** What an agent declares, by block. */
type Declarations = Partial<Record<Block, Readonly<Record<string, unknown>>>>

/** An agent's declarations, one block for each commerce protocol, one for its MCP server, and one for its other names. */
export function DeclarationsView({ declarations }: { declarations: Declarations }) {
  return listDeclared(declarations).map((block) => (
    <Stack key={block} gap="xs">
      <Text fw={600} size="sm">
        {blockNames[block]}
      </Text>
      <Facts
        facts={Object.entries(declarations[block] ?? {}).map(
          ([name, value]) => [labelOf(name), formatValue(value)] as const,
        )}
      />
    </Stack>
  ))
}

/** Lists the blocks that declare something: one whose names were all removed is empty. */
export function listDeclared(declarations: Declarations): Block[] {
  return BLOCKS.filter((block) => Object.keys(declarations[block] ?? {}).length > 0)
}

const LABELS: Readonly<Record<string, string>> = { ens: 'ENS', did: 'DID' }

function labelOf(name: string): string {
  return LABELS[name] ?? capitalise(wordsOf(name))
}

/** Formats flat lists on one line and nested values as JSON. */
function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** The commerce protocols by their published names. Source: docs/protocols.md. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  a2a: 'Agent2Agent (A2A)',
  acp: 'Agentic Commerce Protocol (ACP)',
  ap2: 'Agent Payments Protocol (AP2)',
  ucp: 'Universal Commerce Protocol (UCP)',
  mpp: 'Machine Payments Protocol (MPP)',
  x402: 'x402',
  vi: 'Verifiable Intent (VI)',
  agentpay: 'Agent Pay',
  tap: 'Trusted Agent Protocol (TAP)',
}

const blockNames: Readonly<Record<Block, string>> = {
  ...protocolNames,
  mcp: 'MCP server',
  names: 'Other names',
}
