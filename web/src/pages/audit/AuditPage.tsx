import { Stack } from '@mantine/core'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { AnchoringSection } from './AnchoringSection.tsx'
import { BatchesSection } from './BatchesSection.tsx'
import { ExportSection } from './ExportSection.tsx'
import { FindRecordSection } from './FindRecordSection.tsx'

/** The audit log: how far it is on chain, a record and its proof, what to take along, and every batch. */
export function AuditPage() {
  return (
    <>
      <PageHeader
        title="Audit"
        description="Every outcome is a record that nobody can change or take out, this service included: its batches are anchored on chain."
      />
      <Stack gap="lg">
        <AnchoringSection />
        <FindRecordSection />
        <ExportSection />
        <BatchesSection />
      </Stack>
    </>
  )
}
