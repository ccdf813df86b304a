import { Button } from '@mantine/core'
import type { Agent } from '@svc/core/contract/agents.ts'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'

/** The agent card as served to this user; the owner's includes the whole boundary. */
export function CardSection({ agent }: { agent: Agent }) {
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title="Agent card"
      description="The signed A2A card that describes this agent to others. Only the owner’s view includes the boundary."
      right={
        <Button variant="default" size="xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide card' : 'Show card'}
        </Button>
      }
    >
      {isShown && <Card svcId={agent.svcId} />}
    </Section>
  )
}

function Card({ svcId }: { svcId: string }) {
  const query = useApiQuery('GET /api/agents/:id/card', { params: { id: svcId } })
  return (
    <Loaded query={query}>
      {(card) => <CodeBlock code={JSON.stringify(card, null, 2)} name="Agent card" />}
    </Loaded>
  )
}
