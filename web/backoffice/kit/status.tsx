// Status badges.
import { Badge, type MantineColor } from '@mantine/core'
import { type Dictionary, useTexts } from '../i18n/language.ts'

const english = {
  NEW: 'Started',
  FAIL: 'Failed',
  ASKED: 'Requested',
  DECLINED: 'Declined',
  ABANDONED: 'Abandoned',
  COMPLETED: 'Completed',
  PENDING: 'Pending',
  REJECTED: 'Declined',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  ERROR: 'Error',
  VOIDED: 'Voided',
  AUTHORIZED: 'Authorized',
  ACTIVE: 'Active',
  USED: 'Used',
  CLOSED: 'Closed',
  CANCELED: 'Canceled',
  SUSPENDED: 'Suspended',
  DUE: 'Due',
  DELIVERED: 'Delivered',
  VERIFIED: 'Verified',
  GIVEN_UP: 'Abandoned',
  NO_ENDPOINT: 'No address',
  APPROVED: 'Approved',
  PROCESSING: 'In progress',
  SUCCESS: 'Paid',
  REQUESTED: 'Requested',
  WAITING: 'Waiting',
  SENT: 'Sent',
  REFUSED: 'Refused',
  SKIPPED: 'Not sent',
  CHARGING: 'In progress',
  PAID: 'Paid',
  RETRYING: 'Is tried again',
  PAUSED: 'Paused',
  ENDED: 'Ended',
}
type Status = keyof typeof english

const texts: Dictionary<Record<Status, string>> = {
  en: english,
  pt: {
    NEW: 'Iniciado',
    FAIL: 'Falhou',
    ASKED: 'Pedido',
    DECLINED: 'Recusado',
    ABANDONED: 'Abandonado',
    COMPLETED: 'Concluído',
    PENDING: 'Pendente',
    REJECTED: 'Recusado',
    FAILED: 'Falhou',
    EXPIRED: 'Expirado',
    ERROR: 'Erro',
    VOIDED: 'Anulado',
    AUTHORIZED: 'Autorizado',
    ACTIVE: 'Ativo',
    USED: 'Usado',
    CLOSED: 'Fechado',
    CANCELED: 'Cancelado',
    SUSPENDED: 'Suspenso',
    DUE: 'Por enviar',
    DELIVERED: 'Entregue',
    VERIFIED: 'Verificado',
    GIVEN_UP: 'Abandonado',
    NO_ENDPOINT: 'Sem endereço',
    APPROVED: 'Aprovado',
    PROCESSING: 'Em curso',
    SUCCESS: 'Pago',
    REQUESTED: 'Pedido',
    WAITING: 'Em espera',
    SENT: 'Enviado',
    REFUSED: 'Recusado',
    SKIPPED: 'Não enviado',
    CHARGING: 'Em curso',
    PAID: 'Pago',
    RETRYING: 'Nova tentativa',
    PAUSED: 'Suspenso',
    ENDED: 'Terminado',
  },
}

const colors: Partial<Record<Status, MantineColor>> = {
  COMPLETED: 'green',
  VERIFIED: 'green',
  DELIVERED: 'green',
  ACTIVE: 'green',
  PENDING: 'yellow',
  DUE: 'yellow',
  AUTHORIZED: 'blue',
  REJECTED: 'red',
  FAIL: 'red',
  DECLINED: 'red',
  FAILED: 'red',
  ERROR: 'red',
  GIVEN_UP: 'red',
  NO_ENDPOINT: 'red',
  APPROVED: 'green',
  PROCESSING: 'yellow',
  SUCCESS: 'green',
  REQUESTED: 'yellow',
  WAITING: 'yellow',
  SENT: 'green',
  REFUSED: 'red',
  CHARGING: 'yellow',
  PAID: 'green',
  RETRYING: 'yellow',
}

export function useStatusName(): (status: string) => string {
  const t = useTexts(texts)
  return (status) => t[status as Status] ?? status
}

export function StatusBadge({ status }: { readonly status: string }) {
  const nameOf = useStatusName()
  return (
    <Badge className="whole" variant="light" color={colors[status as Status] ?? 'gray'} tt="none" fw={600}>
      {nameOf(status)}
    </Badge>
  )
}
