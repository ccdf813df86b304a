import { Stack } from '@mantine/core'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { AnchoringSection } from './AnchoringSection.tsx'
import { BatchesSection } from './BatchesSection.tsx'
import { ExportSection } from './ExportSection.tsx'
import { FindRecordSection } from './FindRecordSection.tsx'
import { LogChoice, useLogNumber } from './LogChoice.tsx'

/** The audit log: anchoring progress, record lookup, export and batches. */
export function AuditPage() {
  const log = useLogNumber()
  return (
    <>
      <PageHeader
        title="Audit"
        description="Every outcome is recorded in a log that no one can alter unnoticed, not even this service: its batches are anchored on chain."
      />
      <Stack gap="lg">
        <LogChoice />
        <AnchoringSection log={log} />
        <FindRecordSection />
        <ExportSection log={log} />
        <BatchesSection log={log} />
      </Stack>
    </>
  )
}
