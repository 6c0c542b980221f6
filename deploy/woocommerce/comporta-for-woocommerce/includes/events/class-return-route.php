<?php
/**
 * Return of customers from the gateway's page.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** `/wc-api/comporta_return?order=…&key=…`. */
final class Return_Route {

	/** Asks the gateway for the result, redirects the customer, and ends the request. */
	public static function serve(): void {
		// No nonce: customers come from another site, and need the key of the order.
		$order_id = absint( $_GET['order'] ?? 0 ); // phpcs:ignore WordPress.Security.NonceVerification.Recommended
		$key      = sanitize_text_field( wp_unslash( $_GET['key'] ?? '' ) ); // phpcs:ignore WordPress.Security.NonceVerification.Recommended
		try {
			$address = Order_Lock::hold( $order_id, static fn(): ?string => self::next_address( $order_id, (string) $key ) );
		} catch ( Order_Busy ) {
			$address = null;
		}
		wp_safe_redirect( $address ?? wc_get_page_permalink( 'shop' ) );
		exit;
	}

	/** Null for an order of another customer. */
	private static function next_address( int $order_id, string $key ): ?string {
		$record = Order_Record::read( $order_id );
		if ( null === $record || '' === $key || ! hash_equals( $record->order->get_order_key(), $key ) ) {
			return null;
		}
		$attempt = $record->attempt();
		$status  = isset( $attempt['operation_id'] ) ? ( new Payments( Api::of_settings() ) )->follow( $record, $attempt['operation_id'] ) : 'NEW';
		if ( 'COMPLETED' === $status || 'PENDING' === $status || null === $status ) {
			return $record->order->get_checkout_order_received_url();
		}
		wc_add_notice( __( 'The order was not paid. You can try again, or choose another way to pay.', 'comporta-for-woocommerce' ), 'notice' );
		return $record->order->get_checkout_payment_url();
	}
}
