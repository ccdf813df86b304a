import { Stack, Text } from '@mantine/core'
import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import type { Declarations } from '../api/types.ts'
import { capitalised } from './capitalised.ts'
import { Facts } from './Facts.tsx'
import { protocolNames } from './protocolNames.ts'
import { wordsOf } from './wordsOf.ts'

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
