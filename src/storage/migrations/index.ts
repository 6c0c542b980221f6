// Every step the database has gone through, in order. Steps are never changed once released; add another.
import { migrationList } from '../migration-list.ts'
import * as wallets from './0001-wallets.ts'
import * as ledgerAndOperations from './0002-ledger-and-operations.ts'
import * as requests from './0003-requests.ts'
import * as callbacks from './0004-callbacks.ts'
import * as cards from './0005-cards.ts'
import * as checkouts from './0006-checkouts.ts'
import * as sandbox from './0007-sandbox.ts'
import * as secureFields from './0008-secure-fields.ts'
import * as vault from './0009-vault.ts'
import * as cardStorings from './0010-card-storings.ts'
import * as authorizations from './0011-authorizations.ts'
import * as splits from './0012-splits.ts'
import * as bankReferences from './0013-bank-references.ts'
import * as mobileWallet from './0014-mobile-wallet.ts'
import * as otherMethods from './0015-other-methods.ts'
import * as subscriptions from './0016-subscriptions.ts'
import * as subscriptionsFromBalances from './0017-subscriptions-from-balances.ts'
import * as mandatesWithPayments from './0018-mandates-with-payments.ts'
import * as rolledUpBalances from './0019-rolled-up-balances.ts'
import * as lateRequests from './0020-late-requests.ts'
import * as dividedCaptures from './0023-divided-captures.ts'
import * as cardsOfSubscriptions from './0024-cards-of-subscriptions.ts'
import * as signingSecrets from './0025-signing-secrets.ts'
import * as unknownLogIns from './0026-unknown-log-ins.ts'
import * as movementsInOrder from './0027-movements-in-order.ts'
import * as namedPhones from './0028-named-phones.ts'
import * as questionsToPhones from './0029-questions-to-phones.ts'
import * as subscriptionMethods from './0030-subscription-methods.ts'
import * as postings from './0031-postings.ts'
import * as leanOperations from './0032-lean-operations.ts'
import * as operationCounts from './0032-operation-counts.ts'
import * as claimedDeliveries from './0033-claimed-deliveries.ts'
import * as checksAsFunctions from './0036-checks-as-functions.ts'
import * as theSandboxHasASchema from './0037-the-sandbox-has-a-schema.ts'
import * as attempts from './0040-attempts.ts'
import * as attemptsOfCustomers from './0041-attempts-of-customers.ts'
import * as attemptsByPhone from './0042-attempts-by-phone.ts'
import * as attemptsByDirectDebit from './0043-attempts-by-direct-debit.ts'
import * as bankEntries from './0046-bank-entries.ts'
import * as attemptsByCard from './0047-attempts-by-card.ts'
import * as chargesByTheEngine from './0048-charges-by-the-engine.ts'
import * as publishedAndShareRefunds from './0049-published-and-share-refunds.ts'
import * as connections from './0051-connections.ts'
import * as railWebhooks from './0052-rail-webhooks.ts'
import * as referencesOfProviders from './0053-references-of-providers.ts'
import * as suspense from './0054-suspense.ts'
import * as multibancoFiles from './0055-multibanco-files.ts'
import * as statements from './0056-statements.ts'
import * as forgottenInTime from './0057-forgotten-in-time.ts'
import * as accountsOfConnections from './0058-accounts-of-connections.ts'
import * as webhooksByConnection from './0059-webhooks-by-connection.ts'
import * as eventsInOrder from './0060-events-in-order.ts'
import * as payoutSchedules from './0061-payout-schedules.ts'
import * as accountDays from './0062-account-days.ts'
import * as paymentLinks from './0063-payment-links.ts'
import * as branding from './0064-branding.ts'
import * as operationsSearched from './0066-operations-searched.ts'
import * as requestLog from './0070-request-log.ts'
import * as namedKeys from './0071-named-keys.ts'
import * as eventsForPages from './0072-events-for-pages.ts'
import * as backoffice from './0074-backoffice.ts'
import * as peopleKeptSafe from './0075-people-kept-safe.ts'
import * as suspendedMerchants from './0077-suspended-merchants.ts'
import * as auditRuns from './0078-audit-runs.ts'
import * as accountDaySpans from './0079-account-day-spans.ts'
import * as longLists from './0080-long-lists.ts'
import * as limitsOfMerchants from './0084-limits-of-merchants.ts'
import * as signInsWrittenDown from './0087-sign-ins-written-down.ts'
import * as whatPeopleDidThemselves from './0088-what-people-did-themselves.ts'
import * as tracedOperations from './0090-traced-operations.ts'
import * as webhooksAboutPayments from './0095-webhooks-about-payments.ts'
import * as usesThatAreFinal from './0096-uses-that-are-final.ts'
import * as postingsInOrder from './0097-postings-in-order.ts'
import * as chain from './0098-chain.ts'
import * as reasonsAndWhatWasDone from './0100-reasons-and-what-was-done.ts'
import * as endOfTheChain from './0101-end-of-the-chain.ts'
import * as whatCameBack from './0102-what-came-back.ts'
import * as ibansOfWallets from './0103-ibans-of-wallets.ts'
import * as shortfalls from './0104-shortfalls.ts'
import * as linesToldAgain from './0105-lines-told-again.ts'
import * as contactsWithProviders from './0106-contacts-with-providers.ts'
import * as entriesOfBankFiles from './0107-entries-of-bank-files.ts'
import * as linesOfBankFiles from './0108-lines-of-bank-files.ts'
import * as placesOfLines from './0109-places-of-lines.ts'
import * as furtherTextsOfEntries from './0120-further-texts-of-entries.ts'
import * as whatWasChanged from './0130-what-was-changed.ts'
import * as rulesOfSignIn from './0131-rules-of-sign-in.ts'
import * as hintsOfOrders from './0150-hints-of-orders.ts'
import * as settlementsByHand from './0160-settlements-by-hand.ts'
import * as chargesOfBanks from './0161-charges-of-banks.ts'
import * as addressesOfDebtors from './0162-addresses-of-debtors.ts'
import { onlineIndexes } from './online-indexes.ts'

const steps = {
  '0001-wallets': wallets.sql,
  '0002-ledger-and-operations': ledgerAndOperations.sql,
  '0003-requests': requests.sql,
  '0004-callbacks': callbacks.sql,
  '0005-cards': cards.sql,
  '0006-checkouts': checkouts.sql,
  '0007-sandbox': sandbox.sql,
  '0008-secure-fields': secureFields.sql,
  '0009-vault': vault.sql,
  '0010-card-storings': cardStorings.sql,
  '0011-authorizations': authorizations.sql,
  '0012-splits': splits.sql,
  '0013-bank-references': bankReferences.sql,
  '0014-mobile-wallet': mobileWallet.sql,
  '0015-other-methods': otherMethods.sql,
  '0016-subscriptions': subscriptions.sql,
  '0017-subscriptions-from-balances': subscriptionsFromBalances.sql,
  '0018-mandates-with-payments': mandatesWithPayments.sql,
  '0019-rolled-up-balances': rolledUpBalances.sql,
  '0020-late-requests': lateRequests.sql,
  '0023-divided-captures': dividedCaptures.sql,
  '0024-cards-of-subscriptions': cardsOfSubscriptions.sql,
  '0025-signing-secrets': signingSecrets.sql,
  '0026-unknown-log-ins': unknownLogIns.sql,
  '0027-movements-in-order': movementsInOrder.sql,
  '0028-named-phones': namedPhones.sql,
  '0029-questions-to-phones': questionsToPhones.sql,
  '0030-subscription-methods': subscriptionMethods.sql,
  '0031-postings': postings.sql,
  '0032-lean-operations': leanOperations.sql,
  '0032-operation-counts': operationCounts.sql,
  '0033-claimed-deliveries': claimedDeliveries.sql,
  '0036-checks-as-functions': checksAsFunctions.sql,
  '0037-the-sandbox-has-a-schema': theSandboxHasASchema.sql,
  '0040-attempts': attempts.sql,
  '0041-attempts-of-customers': attemptsOfCustomers.sql,
  '0042-attempts-by-phone': attemptsByPhone.sql,
  '0043-attempts-by-direct-debit': attemptsByDirectDebit.sql,
  '0046-bank-entries': bankEntries.sql,
  '0047-attempts-by-card': attemptsByCard.sql,
  '0048-charges-by-the-engine': chargesByTheEngine.sql,
  '0049-published-and-share-refunds': publishedAndShareRefunds.sql,
  '0051-connections': connections.sql,
  '0052-rail-webhooks': railWebhooks.sql,
  '0053-references-of-providers': referencesOfProviders.sql,
  '0054-suspense': suspense.sql,
  '0055-multibanco-files': multibancoFiles.sql,
  '0056-statements': statements.sql,
  '0057-forgotten-in-time': forgottenInTime.sql,
  '0058-accounts-of-connections': accountsOfConnections.sql,
  '0059-webhooks-by-connection': webhooksByConnection.sql,
  '0060-events-in-order': eventsInOrder.sql,
  '0061-payout-schedules': payoutSchedules.sql,
  '0062-account-days': accountDays.sql,
  '0063-payment-links': paymentLinks.sql,
  '0064-branding': branding.sql,
  '0066-operations-searched': operationsSearched.sql,
  '0070-request-log': requestLog.sql,
  '0071-named-keys': namedKeys.sql,
  '0072-events-for-pages': eventsForPages.sql,
  '0074-backoffice': backoffice.sql,
  '0075-people-kept-safe': peopleKeptSafe.sql,
  '0077-suspended-merchants': suspendedMerchants.sql,
  '0078-audit-runs': auditRuns.sql,
  '0079-account-day-spans': accountDaySpans.sql,
  '0080-long-lists': longLists.sql,
  '0084-limits-of-merchants': limitsOfMerchants.sql,
  '0087-sign-ins-written-down': signInsWrittenDown.sql,
  '0088-what-people-did-themselves': whatPeopleDidThemselves.sql,
  '0090-traced-operations': tracedOperations.sql,
  '0095-webhooks-about-payments': webhooksAboutPayments.sql,
  '0096-uses-that-are-final': usesThatAreFinal.sql,
  '0097-postings-in-order': postingsInOrder.sql,
  '0098-chain': chain.sql,
  '0100-reasons-and-what-was-done': reasonsAndWhatWasDone.sql,
  '0101-end-of-the-chain': endOfTheChain.sql,
  '0102-what-came-back': whatCameBack.sql,
  '0103-ibans-of-wallets': ibansOfWallets.sql,
  '0104-shortfalls': shortfalls.sql,
  '0105-lines-told-again': linesToldAgain.sql,
  '0106-contacts-with-providers': contactsWithProviders.sql,
  '0107-entries-of-bank-files': entriesOfBankFiles.sql,
  '0108-lines-of-bank-files': linesOfBankFiles.sql,
  '0109-places-of-lines': placesOfLines.sql,
  '0120-further-texts-of-entries': furtherTextsOfEntries.sql,
  '0130-what-was-changed': whatWasChanged.sql,
  '0131-rules-of-sign-in': rulesOfSignIn.sql,
  '0150-hints-of-orders': hintsOfOrders.sql,
  '0160-settlements-by-hand': settlementsByHand.sql,
  '0161-charges-of-banks': chargesOfBanks.sql,
  '0162-addresses-of-debtors': addressesOfDebtors.sql,
} as const

export const coreMigrations = { ...migrationList(steps), indexes: onlineIndexes }
