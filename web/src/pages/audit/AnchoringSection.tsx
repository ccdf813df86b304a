import { Group, Text } from '@mantine/core'
import type { Batch, Chain, Page } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'

/** How far the audit log is on chain. */
export function AnchoringSection() {
  const batches = useApiQuery<Page<Batch>>('/api/audit/batches?limit=1', { pollMs: 15_000 })
  const chain = useApiQuery<Chain>('/api/chain')
  const contract = chain.data?.contracts.auditLog
  return (
    <Section
      title="Audit log"
      description="Every outcome is one entry; batches of entries are anchored on chain."
    >
      <Loaded query={batches}>
        {({ items: [batch] }) =>
          batch === undefined ? (
            <Text c="dimmed">No batch yet. The first entries make the first one within seconds.</Text>
          ) : (
            <Facts
              facts={[
                ['Entries', batch.newSize.toLocaleString()],
                [
                  'Last batch',
                  <Group key="batch" gap="xs">
                    #{batch.number} <StatusBadge value={batch.status} /> <When time={batch.sealedAt} />
                  </Group>,
                ],
                ['Block', batch.blockNumber?.toLocaleString()],
                ['Contract', contract && <CopyText text={contract} name="address of the audit log" />],
                [
                  'Chain',
                  chain.data && `${chain.data.chainId}, final after ${chain.data.confirmations} block(s)`,
                ],
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
