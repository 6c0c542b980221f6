<?php
/**
 * Refunds from the order page, each sent once.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/** Refunds through the gateway. */
final class Refunds {

	/** Gateway and refund notes. */
	public function __construct( private Api $api, private Refund_Notes $notes ) {}

	/**
	 * Refunds a part of an order.
	 *
	 * @param Order_Record $seen   The order before the lock, as the shop manager saw it.
	 * @param Order_Record $record The locked order.
	 * @param mixed        $amount Amount from the order page.
	 * @return true|WP_Error An error has a text for the shop manager, and WooCommerce then adds no refund.
	 */
	public function give_back( Order_Record $seen, Order_Record $record, mixed $amount, string $reason ): bool|WP_Error {
		$cents = Amount::cents( $amount );
		if ( null === $cents || 0 === $cents ) {
			return self::refused( __( 'The refund must be above zero and in whole cents.', 'comporta-for-woocommerce' ) );
		}
		if ( '' === $record->order->get_transaction_id() ) {
			return self::refused( __( 'The order has no Comporta payment to refund.', 'comporta-for-woocommerce' ) );
		}
		if ( $record->done_count() > $seen->done_count() ) {
			return self::refused( __( 'Another refund of this order was made a moment ago. Reload the page and check it before you refund more.', 'comporta-for-woocommerce' ) );
		}
		$open = $record->open_refund();
		if ( array() !== $open && Amount::cents( $open['amount'] ) !== $cents ) {
			/* translators: %s: an amount */
			return self::refused( sprintf( __( 'The result of the earlier refund of %s is not known yet. Refund the same amount again to see it. The gateway makes it only once.', 'comporta-for-woocommerce' ), $open['amount'] ) );
		}
		return isset( $open['operation_id'] ) ? $this->look_again( $record, $open ) : $this->send( $record, $cents, $reason );
	}

	/** Sends a refund, or sends one again whose answer was lost. @return true|WP_Error */
	private function send( Order_Record $record, int $cents, string $reason ): bool|WP_Error {
		$open = array( 'sent_at' => (string) time() ) + $record->open_refund() + array(
			'type'       => 'partial',
			'amount'     => Amount::text( $cents ),
			'notes'      => mb_substr( $reason, 0, 255 ),
			'request_id' => wp_generate_uuid4(),
		);
		// The plugin stores the refund before it sends it, so that it can repeat it if the answer is lost.
		$record->set_open_refund( $open );
		$record->save();
		$answer = $this->api->post(
			"/api/v2/operations/{$record->order->get_transaction_id()}/refund",
			array_diff_key( $open, array( 'sent_at' => '' ) )
		);
		if ( $answer->is_unclear() ) {
			// Sets the time again after the last try, because all tries together can take longer than the time for which
			// callbacks wait.
			$record->set_open_refund( array( 'sent_at' => (string) time() ) + $open );
			$record->save();
			/* translators: %s: what was wrong */
			return self::refused( sprintf( __( '%s The result of the refund is not known. Refund the same amount again to see it. The gateway makes it only once.', 'comporta-for-woocommerce' ), $answer->explanation() ) );
		}
		if ( ! $answer->succeeded() ) {
			$record->set_open_refund( array() );
			$record->save();
			return self::refused( $answer->explanation() );
		}
		return $this->conclude( $record, $answer, $open );
	}

	/** A refund that had not ended: what it is now. @param array<string,string> $open What was stored. @return true|WP_Error */
	private function look_again( Order_Record $record, array $open ): bool|WP_Error {
		$refund = $this->api->get( "/api/v2/operations/{$open['operation_id']}" );
		return $refund->succeeded() ? $this->conclude( $record, $refund, $open ) : self::refused( $refund->explanation() );
	}

	/** What the shop manager gets. @param array<string,string> $open What was stored. @return true|WP_Error */
	private function conclude( Order_Record $record, Answer $refund, array $open ): bool|WP_Error {
		$id     = $refund->text( 'id' );
		$amount = $open['amount'];
		if ( 'PENDING' === $refund->text( 'status' ) ) {
			/* translators: 1: amount, 2: id of the refund */
			$waiting = sprintf( __( 'The refund of %1$s is in progress, operation %2$s. It appears here automatically. Do not repeat it.', 'comporta-for-woocommerce' ), $amount, $id );
			$record->set_open_refund(
				array(
					'operation_id' => $id,
					'sent_at'      => (string) time(),
				) + $open
			);
			if ( ! $record->done_before( "$id PENDING" ) ) {
				$record->order->add_order_note( 'Comporta: ' . $waiting );
			}
			$record->save();
			return self::refused( $waiting );
		}
		$record->set_open_refund( array() );
		if ( 'COMPLETED' !== $refund->text( 'status' ) ) {
			$record->done_before( "$id FAIL" );
			$record->save();
			/* translators: 1: amount, 2: id of the refund */
			return self::refused( sprintf( __( 'The refund of %1$s failed, operation %2$s. The customer did not get it.', 'comporta-for-woocommerce' ), $amount, $id ) );
		}
		$was_noted = $this->notes->has( $record, $id );
		$record->done_before( "$id REFUND" );
		$record->save();
		if ( $was_noted ) {
			/* translators: 1: amount, 2: id of the refund */
			return self::refused( sprintf( __( 'The refund of %1$s is complete and on the order, operation %2$s. Reload the page.', 'comporta-for-woocommerce' ), $amount, $id ) );
		}
		/* translators: 1: amount, 2: id of the refund */
		$record->order->add_order_note( sprintf( __( 'Comporta: refunded %1$s, operation %2$s.', 'comporta-for-woocommerce' ), $amount, $id ) );
		return true;
	}

	/** An error whose text WooCommerce shows to the shop manager. */
	private static function refused( string $why ): WP_Error {
		return new WP_Error( 'comporta_refund', $why );
	}
}
