import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { callApi } from '../../api/callApi.ts'
import { session, userOf } from '../../api/session.ts'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { QrCode } from '../../parts/code/QrCode.tsx'
import { saveFile } from '../../parts/code/saveFile.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import type { CheckedRecord } from '../activity/checkRecord.ts'
import { buildVerifyCommand } from './buildVerifyCommand.ts'

type Props = { recordId: string; checked: CheckedRecord }

/** The ways to carry a proof elsewhere: its address, its file, a certificate on paper, and a command. */
export function TakeAway({ recordId, checked: { proof, entry, publicRpcUrl } }: Props) {
  const isSignedIn = userOf(useSyncExternalStore(session.subscribe, session.read)) !== null
  const receipt = useMutation({
    mutationFn: () => callApi('GET /api/audit/records/:id/receipt', { params: { id: recordId } }),
    onSuccess: ({ success: _, ...found }) => saveJson(found, `receipt-${recordId}.json`),
  })
  const { origin } = window.location
  return (
    <Section title="Take it with you" description="None of this needs an account or this page.">
      <Group align="flex-start" gap="lg">
        <QrCode
          text={`${origin}/verify/${recordId}`}
          label="QR code with the address of this page"
          width={160}
        />
        <Stack gap="sm" style={{ flex: '1 1 320px', minWidth: 0 }}>
          <Group gap="xs">
            <Button variant="default" onClick={() => saveJson(proof, `proof-${recordId}.json`)}>
              Download the proof
            </Button>
            {isSignedIn && entry?.receiptHash && (
              <Button variant="default" loading={receipt.isPending} onClick={() => receipt.mutate()}>
                Download the receipt
              </Button>
            )}
            <Button variant="default" onClick={() => window.print()}>
              Print a certificate
            </Button>
          </Group>
          <FailureNote error={receipt.error} />
          <Text size="sm" c="dimmed">
            To check it against your own node, run this in this service’s project folder:
          </Text>
          <CodeBlock
            name="Verify this record"
            code={buildVerifyCommand({ origin, recordId, proof, publicRpcUrl })}
          />
        </Stack>
      </Group>
    </Section>
  )
}

function saveJson(value: object, name: string): void {
  saveFile(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }), name)
}
