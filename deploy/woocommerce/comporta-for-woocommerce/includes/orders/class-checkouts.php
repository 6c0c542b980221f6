<?php
/**
 * Creates one checkout for an order.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Checkouts of the gateway for orders of the shop. */
final class Checkouts {

	/** Gateway and payments. */
	public function __construct( private Api $api, private Payments $payments ) {}

	/**
	 * Address of the payment page, or of the next page if the order is paid. Hold the order's lock.
	 *
	 * @throws \DomainException With a text for the shop manager.
	 */
	public function address_for( Order_Record $record ): string {
		$body        = Checkout_Body::of( $record->order );
		$fingerprint = md5( (string) wp_json_encode( $body ) );
		$attempt     = $record->attempt();
		if ( isset( $attempt['operation_id'] ) ) {
			$status = $this->payments->follow( $record, $attempt['operation_id'] );
			// If the amount differs, the order is on hold until the shop manager decides.
			$is_open = '' === $record->order->get_transaction_id() && $record->order->has_status( array( 'pending', 'failed' ) );
			if ( 'COMPLETED' === $status && ! $is_open ) {
				return $record->order->get_checkout_order_received_url();
			}
			if ( 'NEW' === $status || 'PENDING' === $status ) {
				if ( Amount::cents( $body['payment']['amount'] ) === $record->cents_asked( $attempt['operation_id'] ) ) {
					return $attempt['url'];
				}
				$this->close( $attempt['checkout_id'] );
			} elseif ( null === $status ) {
				throw new \DomainException( __( 'The result of the earlier payment is not known yet. Try again in a minute.', 'comporta-for-woocommerce' ) );
			}
		}
		// If no answer came, the plugin sends the same request again, which creates no second checkout.
		$is_repeated = ! isset( $attempt['operation_id'] ) && ( $attempt['fingerprint'] ?? '' ) === $fingerprint;
		if ( ! $is_repeated ) {
			$attempt = array(
				'request_id'  => wp_generate_uuid4(),
				'fingerprint' => $fingerprint,
			);
			// The plugin stores the attempt before it sends the request, so that it can repeat a lost request.
			$record->set_attempt( $attempt );
			$record->save();
		}
		return $this->create( $record, $attempt, $body );
	}

	/** Closes the checkout of a cancelled order, if the gateway still allows it. */
	public static function close_cancelled( int $order_id ): void {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof \WC_Order || GATEWAY_ID !== $order->get_payment_method() ) {
			return;
		}
		$attempt = Order_Record::of( $order )->attempt();
		if ( isset( $attempt['checkout_id'] ) && ! Order_Record::of( $order )->was_done( "{$attempt['operation_id']} FAIL" ) ) {
			Api::of_settings()->delete( "/api/v2/checkout/{$attempt['checkout_id']}" );
		}
	}

	/**
	 * Requests the checkout, and stores it.
	 *
	 * @param array<string,string> $attempt The stored attempt.
	 * @param array<string,mixed>  $body    Body of the request.
	 * @throws \DomainException If the gateway refuses or does not answer.
	 */
	private function create( Order_Record $record, array $attempt, array $body ): string {
		$answer = $this->api->post( '/api/v2/checkout', $body + array( 'request_id' => $attempt['request_id'] ) );
		$id     = $answer->body['payment']['id'] ?? null;
		if ( ! $answer->succeeded() || ! is_string( $id ) ) {
			throw new \DomainException( $answer->explanation() );
		}
		$attempt += array(
			'checkout_id'  => $answer->text( 'id' ),
			'operation_id' => $id,
			'url'          => add_query_arg( 'lang', str_starts_with( get_locale(), 'pt' ) ? 'pt' : 'en', $answer->text( 'url_redirect' ) ),
		);
		$record->set_attempt( $attempt );
		$record->add_operation( $id, (int) Amount::cents( $body['payment']['amount'] ) );
		$record->save();
		return $attempt['url'];
	}

	/**
	 * Closes a checkout if the amount of the order has changed.
	 *
	 * @throws \DomainException If the customer has chosen a method, because the payment can still arrive.
	 */
	private function close( string $checkout_id ): void {
		$answer = $this->api->delete( "/api/v2/checkout/$checkout_id" );
		if ( ! $answer->succeeded() ) {
			throw new \DomainException( __( 'The order was changed during its payment. Wait until that payment ends, or cancel it on its page.', 'comporta-for-woocommerce' ) . ' ' . $answer->explanation() );
		}
	}
}
