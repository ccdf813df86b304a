import { Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { parseMrz } from '@svc/core/kyd/parseMrz.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { uploadFiles } from '../../api/uploadFiles.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Section } from '../../parts/Section.tsx'
import { faultsOfLines, KYD_LABELS } from './kydFields.ts'
import { MrzInput } from './MrzInput.tsx'
import { PictureInput } from './PictureInput.tsx'

/** Form to submit the documents; the check digits of the machine-readable zone are validated while typing. */
export function KydForm() {
  const invalidate = useInvalidate()
  const [passport, setPassport] = useState<File | null>(null)
  const [selfie, setSelfie] = useState<File | null>(null)
  const [mrz, setMrz] = useState('')
  const [share, setShare] = useState(0)
  const sending = useMutation({
    mutationFn: (form: FormData) => uploadFiles('POST /api/kyd', form, setShare),
    onSuccess: () => invalidate(['GET /api/kyd', 'GET /api/me']),
  })
  useLeaveGuard(!sending.isSuccess && (passport !== null || selfie !== null || mrz.trim() !== ''))
  const faults = readFaults(sending.error, KYD_LABELS)
  const isReady = passport !== null && selfie !== null && parseMrz(mrz, getToday()).ok
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (passport === null || selfie === null) return
    const form = new FormData()
    form.set('mrz', mrz)
    form.set('passport', passport)
    form.set('selfie', selfie)
    setShare(0)
    sending.mutate(form)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Section
          title="Pictures"
          description="JPEG or PNG, up to 8 MiB each, sharp enough to read the small print."
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <PictureInput
              label={KYD_LABELS.passport}
              description="The whole page with your photo and the two lines at the bottom"
              file={passport}
              fault={faults.at.passport}
              onChange={setPassport}
            />
            <PictureInput
              label={KYD_LABELS.selfie}
              description="Your face, from the front"
              file={selfie}
              fault={faults.at.selfie}
              onChange={setSelfie}
            />
          </SimpleGrid>
        </Section>
        <Section
          title="Machine-readable zone"
          description="The two lines of 44 characters at the bottom of the page, including every <."
        >
          <MrzInput today={getToday()} faults={faultsOfLines(faults.at)} onChange={setMrz} />
        </Section>
        <FormFailure faults={faults} />
        {sending.isPending && (
          <Progress.Root size="xl">
            <Progress.Section value={share * 100} aria-label="Uploaded">
              <Progress.Label>{Math.round(share * 100)} %</Progress.Label>
            </Progress.Section>
          </Progress.Root>
        )}
        <Group>
          <Button type="submit" disabled={!isReady} loading={sending.isPending}>
            Submit for review
          </Button>
          {!isReady && (
            <Text size="sm" c="dimmed">
              Both pictures and both lines are required.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Today's date in UTC, like the service. */
function getToday(): string {
  return new Date().toISOString().slice(0, 10)
}
