import {
  Autocomplete,
  Checkbox,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { type ProtocolField, protocolFields } from '@svc/core/commerce/protocolFields.ts'
import { protocolNames } from '../../parts/DeclarationsView.tsx'
import { NumberField } from '../../parts/NumberField.tsx'
import { NamesField } from '../../parts/pdlss/NamesField.tsx'
import { capitalise, wordsOf } from '../../parts/words/words.ts'
import { buildDeclaration, type DraftValues } from './agentDraft.ts'

type Props = { protocol: Protocol; values: DraftValues; onChange: (values: DraftValues) => void }

/** Form for the declarations of one protocol; all optional, since naming the protocol is enough. */
export function DeclarationFields({ protocol, values, onChange }: Props) {
  const block = buildDeclaration(protocol, values)
  const parsed = block === null ? null : protocolDeclarations[protocol].safeParse(block)
  const errors = new Map(parsed?.error?.issues.map(({ path, message }) => [path.join('.'), message]))
  return (
    <Paper withBorder p="md" role="group" aria-label={protocolNames[protocol]}>
      <Stack gap="sm">
        <Text fw={600}>{protocolNames[protocol]}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {protocolFields[protocol].map((field) => (
            <Field
              key={field.name}
              field={field}
              value={values[field.name]}
              error={errors.get(field.name)}
              onChange={(value) => onChange({ ...values, [field.name]: value })}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

type FieldProps = {
  field: ProtocolField
  value: DraftValues[string] | undefined
  error: string | undefined
  onChange: (value: DraftValues[string]) => void
}

function Field({ field, value, error, onChange }: FieldProps) {
  const { type, hint, required, enum: known = [], isOpen } = field
  const label = capitalise(field.name.split('.').map(wordsOf).join(': '))
  const shared = { label, description: hint, error, withAsterisk: required }
  const text = typeof value === 'string' ? value : ''
  const handleChange = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  if (type === 'boolean') {
    return (
      <Checkbox
        {...{ label, description: hint, error }}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (type === 'number') {
    return (
      <NumberField
        {...shared}
        value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  if (type === 'texts') {
    return (
      <NamesField
        label={label}
        help={error ?? hint}
        options={known}
        value={Array.isArray(value) ? value : []}
        onChange={onChange}
      />
    )
  }
  if (known.length > 0 && !isOpen) {
    return <NativeSelect {...shared} data={['', ...known]} value={text} onChange={handleChange} />
  }
  if (known.length > 0) {
    return <Autocomplete {...shared} data={[...known]} value={text} onChange={onChange} maxLength={2048} />
  }
  return (
    <TextInput
      {...shared}
      type={type === 'url' ? 'url' : 'text'}
      placeholder={type === 'url' ? 'https://…' : type === 'json' ? 'JSON' : undefined}
      maxLength={2048}
      value={text}
      onChange={handleChange}
    />
  )
}
