import { Stack, Text } from '@mantine/core'
import { PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { Declarations } from '../api/types.ts'
import { Facts } from './Facts.tsx'
import { capitalised, wordsOf } from './words.ts'

/** What an agent declares of each commerce protocol, block by block; nothing where it declares none. */
export function DeclarationsView({ declarations }: { declarations: Declarations }) {
  return PROTOCOLS.filter((protocol) => declarations[protocol] !== undefined).map((protocol) => (
    <Stack key={protocol} gap="xs">
      <Text fw={600} size="sm">
        {protocolNames[protocol]}
      </Text>
      <Facts
        facts={Object.entries(declarations[protocol] ?? {}).map(
          ([name, value]) => [labelOf(name), shown(value)] as const,
        )}
      />
    </Stack>
  ))
}

function labelOf(name: string): string {
  return capitalised(wordsOf(name))
}

/** Lists of texts in one line; whatever is deeper as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** The commerce protocols by the names that their authors gave them. Source: protocols.md. */
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
