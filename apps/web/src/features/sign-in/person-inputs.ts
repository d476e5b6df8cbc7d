import { limits } from '@plinth/contract/patterns'
import { password, text } from '../../lib/form/inputs.tsx'
import type { Translate } from '../../lib/i18n/translate.ts'

export const nameInputs = (t: Translate, autoFocus = false) => ({
  first_name: text({
    label: t('auth.first_name'),
    required: true,
    half: true,
    maxLength: limits.name,
    autoComplete: 'given-name',
    autoFocus,
  }),
  last_name: text({
    label: t('auth.last_name'),
    required: true,
    half: true,
    maxLength: limits.name,
    autoComplete: 'family-name',
  }),
})

export const newPasswordInputs = (t: Translate) => ({
  password: password({
    label: t('auth.password'),
    help: t('auth.password_rules', { minLength: limits.password_min }),
    required: true,
    minLength: limits.password_min,
    maxLength: limits.password_max,
    complex: true,
    autoComplete: 'new-password',
  }),
  confirm_password: password({
    label: t('auth.confirm_password'),
    required: true,
    matches: 'password',
    messages: { required: t('auth.confirm_required') },
    autoComplete: 'new-password',
  }),
})
