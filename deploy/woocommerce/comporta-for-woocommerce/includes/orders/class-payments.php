<?php
/**
 * Status of an order after its payment.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Applies payments of the gateway to orders. Repeated reports have no effect. */
final class Payments {

	/** Orders that wait for a payment. */
	private const OPEN = array( 'pending', 'on-hold' );

	/** Orders that can still be paid, but do not wait for a payment. */
	private const UNPAID = array( 'pending', 'failed', 'cancelled' );

	/** Methods whose customers pay later, at an ATM or through their bank. */
	private const PAID_LATER = array( 'MB', 'SEPA' );

	/** The gateway. */
	public function __construct( private Api $api ) {}

	/**
	 * Reads the payment, and updates the order. Hold the order's lock, so that the data is current.
	 *
	 * @return string|null Status of the payment; null without an answer of the gateway.
	 */
	public function follow( Order_Record $record, string $operation_id ): ?string {
		$answer = $this->api->get( "/api/v2/operations/$operation_id" );
		if ( ! $answer->succeeded() ) {
			return null;
		}
		$status = $answer->text( 'status' );
		if ( 'COMPLETED' === $status ) {
			$this->paid( $record, $answer );
		} elseif ( 'PENDING' === $status && in_array( $answer->text( 'method' ), self::PAID_LATER, true ) ) {
			$this->waiting( $record, $answer );
		} elseif ( 'FAIL' === $status || 'VOIDED' === $status ) {
			$this->ended( $record, $operation_id, $status );
		}
		return $status;
	}

	/** The payment is completed. */
	private function paid( Order_Record $record, Answer $payment ): void {
		$order = $record->order;
		$id    = $payment->text( 'id' );
		if ( $order->get_transaction_id() === $id || $record->done_before( "$id COMPLETED" ) ) {
			return;
		}
		$problem = $this->problem_of( $order, $payment );
		if ( null !== $problem ) {
			if ( $order->has_status( self::UNPAID ) ) {
				$order->set_status( 'on-hold' );
			}
			if ( '' === $order->get_transaction_id() ) {
				$this->note_payment( $order, $payment );
				$record->set_unaccepted( $id );
			}
			$record->save();
			$order->add_order_note( $problem );
			wc_get_logger()->error( "Order {$order->get_id()}: $problem", LOG_SOURCE );
			return;
		}
		$was_cancelled = $order->has_status( 'cancelled' );
		$order->set_payment_method( GATEWAY_ID );
		$this->note_payment( $order, $payment );
		$order->payment_complete( $id );
		if ( $order->get_transaction_id() !== $id ) {
			// The shop manager has already marked the order as paid.
			$order->set_transaction_id( $id );
		}
		$record->save();
		/* translators: 1: amount and currency, 2: method such as CC, 3: id of the payment */
		$order->add_order_note( sprintf( __( 'Comporta: %1$s paid by %2$s, payment %3$s.', 'comporta-for-woocommerce' ), $payment->money(), $payment->text( 'method' ), $id ) );
		if ( $was_cancelled ) {
			$order->add_order_note( __( 'The order was cancelled before its payment arrived. Check the stock, then send or refund the order.', 'comporta-for-woocommerce' ) );
		}
	}

	/** Stores the payment for refunds and for the link to it. */
	private function note_payment( \WC_Order $order, Answer $payment ): void {
		$order->update_meta_data( '_comporta_method', $payment->text( 'method' ) );
		$order->update_meta_data( '_comporta_wallet', (string) ( $payment->body['merchant']['id'] ?? '' ) );
	}

	/** Accepts a waiting payment of another amount, because the shop manager has marked the order as paid. */
	public static function accept( int $order_id ): void {
		$record = Order_Record::read( $order_id );
		$id     = $record?->unaccepted() ?? '';
		if ( '' === $id || '' !== $record->order->get_transaction_id() || GATEWAY_ID !== $record->order->get_payment_method() ) {
			return;
		}
		$record->order->set_transaction_id( $id );
		$record->save();
		/* translators: %s: id of the payment */
		$record->order->add_order_note( sprintf( __( 'Comporta: payment %s was accepted as the payment of this order.', 'comporta-for-woocommerce' ), $id ) );
	}

	/** Reason why the payment does not match the order; null if it matches. */
	private function problem_of( \WC_Order $order, Answer $payment ): ?string {
		$id    = $payment->text( 'id' );
		if ( '' !== $order->get_transaction_id() ) {
			/* translators: 1: amount and currency, 2: id of the payment, 3: id of the earlier payment */
			return sprintf( __( 'Comporta: payment %2$s paid %1$s a second time; payment %3$s had already paid the order. Refund %2$s in the backoffice of the gateway.', 'comporta-for-woocommerce' ), $payment->money(), $id, $order->get_transaction_id() );
		}
		$same = Amount::cents( $payment->text( 'amount' ) ) === Amount::cents( $order->get_total() ) && $payment->text( 'currency' ) === $order->get_currency();
		if ( ! $same ) {
			/* translators: 1: amount and currency that were paid, 2: id of the payment, 3: total of the order */
			return sprintf( __( 'Comporta: payment %2$s paid %1$s, but the order total is %3$s, so the order is not paid. To accept the payment, change the status to Processing or Completed. Otherwise refund it in the backoffice of the gateway and change the status to Pending payment. The customer can then pay again.', 'comporta-for-woocommerce' ), $payment->money(), $id, "{$order->get_total()} {$order->get_currency()}" );
		}
		return null;
	}

	/** The customer has chosen a method and pays later. */
	private function waiting( Order_Record $record, Answer $payment ): void {
		$order     = $record->order;
		$reference = $payment->body['mb'] ?? null;
		$mark      = $payment->text( 'id' ) . ' PENDING ' . ( $reference['ref'] ?? $payment->text( 'method' ) );
		if ( ! $order->has_status( array( 'pending', 'failed' ) ) || $record->done_before( $mark ) ) {
			return;
		}
		if ( null === $reference ) {
			/* translators: %s: method such as SEPA */
			$note = sprintf( __( 'Comporta: waiting for the bank (%s).', 'comporta-for-woocommerce' ), $payment->text( 'method' ) );
		} else {
			$record->set_reference( array_map( 'strval', $reference ) + array( 'amount' => $payment->money() ) );
			/* translators: 1: entity, 2: reference, 3: amount and currency */
			$note = sprintf( __( 'Comporta: waiting for the Multibanco payment: entity %1$s, reference %2$s, %3$s.', 'comporta-for-woocommerce' ), $reference['entity'], $reference['ref'], $payment->money() );
		}
		$order->update_status( 'on-hold', $note );
	}

	/** The payment failed. */
	private function ended( Order_Record $record, string $id, string $status ): void {
		$is_newest = ( $record->attempt()['operation_id'] ?? '' ) === $id;
		if ( ! $is_newest || ! $record->order->has_status( self::OPEN ) || $record->done_before( "$id $status" ) ) {
			return;
		}
		/* translators: %s: id of the payment */
		$record->order->update_status( 'failed', sprintf( __( 'Comporta: payment %s was cancelled, declined or too late.', 'comporta-for-woocommerce' ), $id ) );
	}
}
