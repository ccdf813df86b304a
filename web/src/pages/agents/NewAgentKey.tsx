import { Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FieldError, parseWith } from '@svc/core/fieldErrors.ts'
import { agentKeySchema } from '@svc/core/signing/agentKeySchema.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { createAgentKey, KEY_FILE, saveAgentKey } from '../../parts/code/createAgentKey.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'

const PROOF = 'Proof of possession'

/**
 * A form that adds a public key with a passkey: a pasted one, or one that is made in this page and whose private half is
 * saved as a file. It shows the thumbprint, which the owner can compare with that of the agent.
 *
 * A pasted private key does not leave the page.
 */
export function NewAgentKey({ svcId, onClose }: { svcId: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [proof, setProof] = useState('')
  const change = useApiMutation('POST /api/agents/:id/keys', {
    invalidates: [
      ['GET /api/agents/:id/keys', { id: svcId }],
      ['GET /api/agents/:id/settings', { id: svcId }],
    ],
    onDone: onClose,
  })
  const making = useMutation({
    mutationFn: createAgentKey,
    onSuccess(pair) {
      saveAgentKey(pair)
      setText(JSON.stringify(pair.publicKey))
    },
  })
  const type =
    (set: (text: string) => void) => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      set(event.currentTarget.value)
      if (change.isError) change.reset()
    }
  useLeaveGuard([text, name, proof].some((typed) => typed !== ''))
  const read = text.trim() === '' ? null : readKey(text)
  const faults = readFaults(change.error, { key: 'Public key (JWK)', name: 'Name', proof: PROOF })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (read === null || 'error' in read) return
    const body = {
      key: read.key,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(proof.trim() === '' ? {} : { proof: proof.trim() }),
    }
    change.mutate({ params: { id: svcId }, body })
  }
  return (
    <Paper withBorder p="md">
      <form onSubmit={submit} aria-label="New key">
        <Stack gap="sm">
          <Group gap="sm">
            <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
              Make a key here
            </Button>
            <Text size="sm" c="dimmed">
              {making.data
                ? `The private half was saved as ${KEY_FILE}: give it to your agent, and to nobody else.`
                : 'or paste the public half of the key that your agent has.'}
            </Text>
          </Group>
          <FailureNote error={making.error} />
          <Textarea
            label="Public key (JWK)"
            description="Only the public half, of type Ed25519 or P-256"
            placeholder='{"kty":"OKP","crv":"Ed25519","x":"…"}'
            required
            autosize
            minRows={3}
            maxLength={4_000}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={type(setText)}
            error={read !== null && 'error' in read ? read.error : faults.at.key}
          />
          {read !== null && 'key' in read && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              Thumbprint{' '}
              <Text span ff="monospace" inherit>
                {computeKeyThumbprint(read.key)}
              </Text>
            </Text>
          )}
          <TextInput
            label={PROOF}
            description="Optional: what createKeyProof of the client library returns. It takes the key back from somebody who only named it"
            maxLength={2_048}
            spellCheck={false}
            value={proof}
            onChange={type(setProof)}
            error={faults.at.proof}
          />
          <TextInput
            label="Name"
            description="For you, for example where the private key is"
            maxLength={200}
            value={name}
            error={faults.at.name}
            onChange={type(setName)}
          />
          <FormFailure faults={faults} />
          <Group>
            <Button
              type="submit"
              leftSection={<Icon name="passkey" size={16} />}
              loading={change.isPending}
              disabled={read === null || 'error' in read}
            >
              Add key with passkey
            </Button>
            <Button variant="subtle" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function readKey(text: string): { key: AgentKey } | { error: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { error: 'This is not JSON.' }
  }
  const parsed = parseWith(agentKeySchema, value)
  return parsed.ok ? { key: parsed.value } : { error: describe(parsed.errors) }
}

function describe(errors: readonly FieldError[]): string {
  const privateKey = errors.find(({ code }) => code === 'private_key')
  if (privateKey) return 'This is a private key. Leave out its member d, and send only the public key.'
  return errors
    .map(({ pointer, message }) => (pointer ? `${pointer.slice(1)}: ${message}` : message))
    .join('; ')
}
