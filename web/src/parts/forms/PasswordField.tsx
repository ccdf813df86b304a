import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

/** A field for a password: the keyboard reaches the button that shows it, and screen readers hear that it is refused. */
export function PasswordField(props: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide the password' : 'Show the password' }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
