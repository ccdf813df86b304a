import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { TrustHistory } from '../../api/types.ts'
import { useAnswer } from '../../api/useAnswer.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { TrustChart } from './TrustChart.tsx'

/** How the trust score of the agent went; what it is made of is told to nobody. Spec: Trust score rules. */
export function TrustHistorySection({ svcId }: { svcId: string }) {
  const query = useAnswer<TrustHistory>(`/api/agents/${svcId}/trust-history`)
  const [shown, setShown] = useState('chart')
  return (
    <Section
      title="Trust score over time"
      description="Grants raise it, violations lower it, and both fade; a verified owner and a full registration raise it for good."
      right={
        <SegmentedControl
          size="xs"
          aria-label="Show the trust score as"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      }
    >
      <Loaded query={query}>
        {({ items, current }) => (
          <>
            <TrustChart points={[...items, current]} asTable={shown === 'table'} />
            {items.length < 2 && (
              <Text size="sm" c="dimmed">
                It has not changed yet. From the first change on, this shows when and by how much.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
