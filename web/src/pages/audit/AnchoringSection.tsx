import { Group, Text } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'

/** Anchoring progress of an audit log. */
export function AnchoringSection({ log }: { log: number }) {
  const batches = useApiQuery('GET /api/audit/batches', { query: { limit: 1, log }, pollMs: 15_000 })
  const chain = useApiQuery('GET /api/chain')
  const contract = chain.data?.contracts.auditLog
  return (
    <Section
      title="Audit log"
      description="Every outcome is an entry in the log; batches of entries are anchored on chain."
    >
      <Loaded query={batches}>
        {({ items: [batch] }) =>
          batch === undefined ? (
            <Text c="dimmed">No batches yet. The first one follows within seconds of the first entry.</Text>
          ) : (
            <Facts
              facts={[
                ['Entries', batch.newSize.toLocaleString('en')],
                [
                  'Last batch',
                  <Group key="batch" gap="xs">
                    #{batch.number} <StatusBadge value={batch.status} /> <When time={batch.sealedAt} />
                  </Group>,
                ],
                ['Block', batch.blockNumber?.toLocaleString('en')],
                ['Contract', contract && <CopyText text={contract} name="audit log address" />],
                [
                  'Chain',
                  chain.data && `${chain.data.chainId}, blocks until final: ${chain.data.confirmations}`,
                ],
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
