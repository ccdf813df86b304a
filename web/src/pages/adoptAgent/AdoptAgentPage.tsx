import { Stack } from '@mantine/core'
import type { AnswerOf, BodyOf } from '@svc/core/contract/operations.ts'
import { useState } from 'react'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { AdoptSection } from './AdoptSection.tsx'
import { TokenForm } from './TokenForm.tsx'

/** What was asked for, and what the service has read and wants signed. */
export type Adoption = {
  asked: BodyOf<'POST /api/agents/adopt/statement'>
  found: AnswerOf<'POST /api/agents/adopt/statement'>
}

/** Adopts an agent that is registered in another ERC-8004 registry: its token is read, then its owner signs. */
export function AdoptAgentPage() {
  const [adoption, setAdoption] = useState<Adoption | null>(null)
  return (
    <>
      <PageHeader
        title="Adopt an agent"
        description="An agent of another ERC-8004 registry gets a boundary, approval rules and keys here. Its token stays where it is."
        back={{ to: '/agents', name: 'Agents' }}
      />
      <Stack gap="lg">
        <TokenForm onFound={setAdoption} />
        {adoption && <AdoptSection key={adoption.found.message} adoption={adoption} />}
      </Stack>
    </>
  )
}
