import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { allowlistEntrySchema } from '@svc/core/access/allowlistEntrySchema.ts'
import type { StoredAllowlistEntry } from '@svc/core/contract/endpoints.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { type FormEvent, useRef, useState } from 'react'
import { callElevated } from '../../api/callApi.ts'
import { sayUndone } from '../../api/sayUndone.ts'
import { unlessChanged } from '../../api/sendUndoable.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { withElevation } from '../../api/withElevation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Rows } from '../../parts/lists/Rows.tsx'
import { type NumberEntry, NumberField } from '../../parts/NumberField.tsx'
import { NamesField } from '../../parts/pdlss/NamesField.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'

type Props = { endpointId: string; isReadOnly: boolean }

/** The allowlist: its entries and a form to add one. Spec: Allowlist entry. */
export function AllowlistSection({ endpointId, isReadOnly }: Props) {
  const query = useApiList('GET /api/endpoints/:id/allowlist', { params: { id: endpointId } })
  return (
    <Section
      title="Allowlist"
      description="If empty, agents of any owner are admitted. Otherwise only agents of the listed owners are, and always your own."
    >
      <Rows query={query} empty={<Text c="dimmed">No entries: agents of any owner are admitted.</Text>}>
        {(entry) => <EntryRow key={entry.id} {...{ entry, endpointId, isReadOnly }} />}
      </Rows>
      {!isReadOnly && <NewEntry endpointId={endpointId} />}
    </Section>
  )
}

function EntryRow({ entry, endpointId, isReadOnly }: Props & { entry: StoredAllowlistEntry }) {
  const tag = useRef<string | null>(null)
  const change = useApiMutation('DELETE /api/endpoints/:id/allowlist/:entryId', {
    invalidates: [['GET /api/endpoints/:id/allowlist', { id: endpointId }]],
    says: 'Removed',
    takeBack: () => {
      const { current: left } = tag
      return left === null ? null : () => sayUndone(() => addAgain(endpointId, entry, left))
    },
  })
  const { allowedOwnerIdentifier: owner, minTrustScore, allowedPurposes = [], createdAt } = entry
  const filters = [
    minTrustScore !== undefined && `trust score of at least ${minTrustScore}`,
    allowedPurposes.length > 0 && `for ${allowedPurposes.join(', ')}`,
  ].filter(Boolean)
  return (
    <Paper withBorder px="md" py="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Stack gap={2} style={{ minWidth: 0 }}>
            <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {owner}
            </Text>
            <Text size="sm" c="dimmed">
              {filters.length === 0 ? 'Every active agent' : filters.join(' · ')} · added{' '}
              <When time={createdAt} />
            </Text>
          </Stack>
          {!isReadOnly && (
            <Button
              variant="light"
              color="red"
              size="xs"
              loading={change.isPending}
              aria-label={`Remove ${owner}`}
              onClick={() =>
                change.mutate({
                  params: { id: endpointId, entryId: entry.id },
                  onTag: (left) => {
                    tag.current = left
                  },
                })
              }
            >
              Remove
            </Button>
          )}
        </Group>
        <FailureNote error={change.error} />
      </Stack>
    </Paper>
  )
}

/** Adds an entry again, unless the entries of its owner have changed since it was removed: a newer one may admit less. */
async function addAgain(
  id: string,
  { allowedOwnerIdentifier, minTrustScore, allowedPurposes }: StoredAllowlistEntry,
  tag: string,
): Promise<'undone' | 'changed'> {
  const body = { allowedOwnerIdentifier, minTrustScore, allowedPurposes }
  const call = { params: { id }, body, headers: { 'If-Match': tag } }
  const sent = withElevation((elevation) =>
    callElevated('POST /api/endpoints/:id/allowlist', call, elevation),
  )
  return (await unlessChanged(sent)) === null ? 'changed' : 'undone'
}

function NewEntry({ endpointId }: { endpointId: string }) {
  const [owner, setOwner] = useState('')
  const [score, setScore] = useState<NumberEntry>(undefined)
  const [purposes, setPurposes] = useState<string[]>([])
  const [error, setError] = useState<string | null>(null)
  const clear = () => {
    setOwner('')
    setScore(undefined)
    setPurposes([])
  }
  const change = useApiMutation('POST /api/endpoints/:id/allowlist', {
    invalidates: [['GET /api/endpoints/:id/allowlist', { id: endpointId }]],
    says: 'Saved',
    onDone: clear,
  })
  const forgetFaults = () => {
    setError(null)
    if (change.isError) change.reset()
  }
  const faults = readFaults(change.error, {
    allowedOwnerIdentifier: 'Owner',
    minTrustScore: 'Minimum trust score',
    allowedPurposes: 'Purposes',
  })
  useLeaveGuard(owner !== '' || score !== undefined || purposes.length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      allowedOwnerIdentifier: owner.trim(),
      ...(score === undefined ? {} : { minTrustScore: Number(score) }),
      ...(purposes.length === 0 ? {} : { allowedPurposes: purposes }),
    }
    const parsed = parseWith(allowlistEntrySchema, body)
    setError(parsed.ok ? null : (parsed.errors[0]?.message ?? 'not a valid entry'))
    if (parsed.ok) change.mutate({ params: { id: endpointId }, body })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            name="owner"
            label="Owner"
            description="The identifier that the owner gives you"
            placeholder="SVCD-… or SVCO-…"
            required
            maxLength={40}
            error={error ?? faults.at.allowedOwnerIdentifier}
            value={owner}
            onChange={({ currentTarget }) => {
              setOwner(currentTarget.value)
              forgetFaults()
            }}
            miw={240}
          />
          <NumberField
            label="Minimum trust score"
            description="Overrides the endpoint’s"
            max={100}
            isWhole
            value={score}
            onChange={setScore}
            error={faults.at.minTrustScore}
          />
          <NamesField
            label="Purposes"
            help="Empty means any"
            value={purposes}
            error={faults.at.allowedPurposes}
            onChange={setPurposes}
          />
        </Group>
        <FormFailure faults={faults} />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            Add to allowlist
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
