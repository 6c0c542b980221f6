<?php
/**
 * Order of a gateway operation.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Applies operations of callbacks to orders. */
final class Operations {

	/** Prefix of the order's id in the notes of its payments. */
	public const NOTE = 'woocommerce:';

	/** The order was updated. */
	public const DONE = 200;
	/** The operation belongs to no order of this shop, so a repetition would not help. */
	public const NOT_OURS = 202;
	/** The gateway does not know the operation under the shop's key, because the key belongs to another merchant. */
	public const UNKNOWN = 404;
	/** The gateway must send the callback again. */
	public const LATER = 503;

	/** The gateway. */
	public function __construct( private Api $api ) {}

	/** Reads an operation from the gateway, and updates its order. Returns one of the constants. */
	public function follow( string $id ): int {
		if ( ! wp_is_uuid( $id ) ) {
			return self::NOT_OURS;
		}
		$operation = $this->api->get( "/api/v2/operations/$id" );
		$payment   = $operation;
		while ( $payment->succeeded() && 'REFUND' === $payment->text( 'type' ) ) {
			$payment = $this->api->get( '/api/v2/operations/' . $payment->text( 'parent' ) );
		}
		if ( ! $payment->succeeded() ) {
			return 404 === $payment->status ? self::UNKNOWN : self::LATER;
		}
		$order_id = self::order_id_of( $payment );
		if ( null === $order_id ) {
			return self::NOT_OURS;
		}
		try {
			return Order_Lock::hold( $order_id, fn(): int => $this->settle( $order_id, $payment, $id ) );
		} catch ( Order_Busy ) {
			return self::LATER;
		}
	}

	/** Id of the order of a payment. */
	private static function order_id_of( Answer $payment ): ?int {
		$is_ours = 'PAYMENT' === $payment->text( 'type' ) && 1 === preg_match( '/^' . self::NOTE . '(\d{1,18})$/D', $payment->text( 'notes' ), $found );
		return $is_ours ? (int) $found[1] : null;
	}

	/**
	 * Updates the order. The caller must hold its lock. Applies the payment first, because its refund can be reported
	 * earlier.
	 */
	private function settle( int $order_id, Answer $payment, string $id ): int {
		$payment_id = $payment->text( 'id' );
		$record     = Order_Record::read( $order_id );
		if ( null === $record || null === $record->cents_asked( $payment_id ) ) {
			wc_get_logger()->warning( "Payment $payment_id names order $order_id, which did not begin it.", LOG_SOURCE );
			return self::NOT_OURS;
		}
		if ( null === ( new Payments( $this->api ) )->follow( $record, $payment_id ) ) {
			return self::LATER;
		}
		if ( $id !== $payment_id ) {
			$refund = $this->api->get( "/api/v2/operations/$id" );
			if ( ! $refund->succeeded() ) {
				return self::LATER;
			}
			return ( new Refund_Notes( $this->api ) )->follow( $record, $refund, $payment ) ? self::DONE : self::LATER;
		}
		return self::DONE;
	}
}
