<?php
/**
 * Refunds that the gateway reports, each shown once.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use WC_Order_Refund;

defined( 'ABSPATH' ) || exit;

/** Shows refunds on the order. */
final class Refund_Notes {

	/** Meta key of a shop refund with its operation. */
	private const OPERATION = '_comporta_operation_id';

	/** Channels of reversals by banks and card networks. */
	private const REPORTED = array( 'BANK', 'RAIL' );

	/** Time after which WooCommerce has ended the request of a refund, and deleted its own refund without an answer. */
	private const SECONDS_UNTIL_SETTLED = 15;

	/** The gateway. */
	public function __construct( private Api $api ) {}

	/** Whether the order shows a refund. */
	public function has( Order_Record $record, string $id ): bool {
		foreach ( $record->order->get_refunds() as $refund ) {
			if ( $refund->get_meta( self::OPERATION ) === $id ) {
				return true;
			}
		}
		return $record->was_done( "$id REFUND" );
	}

	/**
	 * Shows the result of any refund on the order. Hold the order's lock.
	 * If the payment did not pay the order, the refund is only a note.
	 *
	 * @param Answer $payment The refunded payment in its current state.
	 * @return bool False if the caller must repeat the call later.
	 */
	public function follow( Order_Record $record, Answer $refund, Answer $payment ): bool {
		$id     = $refund->text( 'id' );
		$amount = $refund->text( 'amount' );
		$status = $refund->text( 'status' );
		if ( 'PENDING' === $status || $this->has( $record, $id ) ) {
			return true;
		}
		if ( ! str_starts_with( $amount, '-' ) ) {
			/* translators: 1: amount and currency, 2: id of the operation */
			$this->say_once( $record, "$id BACK", sprintf( __( 'Comporta: a refund of %1$s came back to you, operation %2$s. If you still owe it to the customer, pay in another way.', 'comporta-for-woocommerce' ), $refund->money(), $id ) );
			return true;
		}
		$open    = $record->open_refund();
		$is_ours = $this->is_ours( $open, $id );
		if ( $is_ours && time() - (int) $open['sent_at'] < self::SECONDS_UNTIL_SETTLED ) {
			return false;
		}
		if ( $is_ours ) {
			$record->set_open_refund( array() );
		}
		$amount = Amount::text( (int) Amount::cents( substr( $amount, 1 ) ) );
		if ( 'COMPLETED' !== $status ) {
			/* translators: 1: amount, 2: id of the refund */
			$this->say_once( $record, "$id FAIL", sprintf( __( 'Comporta: the refund of %1$s failed, operation %2$s. The customer did not get it.', 'comporta-for-woocommerce' ), $amount, $id ) );
			return true;
		}
		if ( $record->order->get_transaction_id() !== $payment->text( 'id' ) ) {
			$this->surplus( $record, $refund, $payment );
			return true;
		}
		$record->done_before( "$id REFUND" );
		$record->save();
		$left = $is_ours && ! isset( $open['operation_id'] ) ? $this->left_behind( $record, $amount ) : null;
		if ( null === $left ) {
			$this->add( $record, $refund, $amount );
		} else {
			$left->update_meta_data( self::OPERATION, $id );
			$left->set_refunded_payment( true );
			$left->save();
		}
		return true;
	}

	/** Notes the refund of a payment that never counted as payment of the order. */
	private function surplus( Order_Record $record, Answer $refund, Answer $payment ): void {
		if ( $record->unaccepted() === $payment->text( 'id' ) && true !== ( $payment->body['refundable'] ?? null ) ) {
			$record->set_unaccepted( '' );
		}
		/* translators: 1: amount and currency, 2: id of the payment, 3: id of the refund */
		$note = sprintf( __( 'Comporta: %1$s of payment %2$s were refunded, operation %3$s. That payment did not count for this order, so the order shows no refund.', 'comporta-for-woocommerce' ), $refund->money(), $payment->text( 'id' ), $refund->text( 'id' ) );
		$this->say_once( $record, "{$refund->text( 'id' )} REFUND", $note );
	}

	/** Whether it is the refund that was sent from here, and whose end was not known. @param array<string,string> $open What was stored. */
	private function is_ours( array $open, string $id ): bool {
		if ( array() === $open || isset( $open['operation_id'] ) ) {
			return ( $open['operation_id'] ?? '' ) === $id;
		}
		return str_ends_with( $this->api->get( "/api/v2/requests/{$open['request_id']}" )->text( 'href' ), "/$id" );
	}

	/** The refund in the shop that a request created before it died without an answer. */
	private function left_behind( Order_Record $record, string $amount ): ?WC_Order_Refund {
		foreach ( $record->order->get_refunds() as $refund ) {
			$is_plain = ! $refund->get_refunded_payment() && '' === $refund->get_meta( self::OPERATION );
			if ( $is_plain && Amount::cents( $refund->get_amount() ) === Amount::cents( $amount ) ) {
				return $refund;
			}
		}
		return null;
	}

	/** Creates a shop refund for a gateway refund. */
	private function add( Order_Record $record, Answer $refund, string $amount ): void {
		$id     = $refund->text( 'id' );
		$reason = in_array( $refund->text( 'channel' ), self::REPORTED, true )
			? __( 'Clawback by the bank or the card network', 'comporta-for-woocommerce' )
			: __( 'Refunded through the payment gateway', 'comporta-for-woocommerce' );
		$tag    = static function ( WC_Order_Refund $made ) use ( $id ): void {
			$made->update_meta_data( self::OPERATION, $id );
		};
		add_action( 'woocommerce_create_refund', $tag );
		$made = wc_create_refund(
			array(
				'order_id'       => $record->order->get_id(),
				'amount'         => $amount,
				'reason'         => $reason,
				'refund_payment' => false,
				'restock_items'  => false,
			)
		);
		remove_action( 'woocommerce_create_refund', $tag );
		$note = "Comporta: $reason: $amount, $id.";
		if ( is_wp_error( $made ) ) {
			$note .= ' ' . __( 'The order could not show this refund:', 'comporta-for-woocommerce' ) . ' ' . $made->get_error_message();
		}
		$record->order->add_order_note( $note );
	}

	/** Adds a note to the order once. */
	private function say_once( Order_Record $record, string $what, string $note ): void {
		$was_done = $record->done_before( $what );
		$record->save();
		if ( ! $was_done ) {
			$record->order->add_order_note( $note );
		}
	}
}
