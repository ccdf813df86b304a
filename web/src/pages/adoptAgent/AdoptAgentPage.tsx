import { Stack } from '@mantine/core'
import { useState } from 'react'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { AdoptSection } from './AdoptSection.tsx'
import type { Adoption } from './adoption.ts'
import { TokenForm } from './TokenForm.tsx'

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
